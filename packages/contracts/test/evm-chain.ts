import { createEVM, type EVM } from '@ethereumjs/evm';
import { createAddressFromString, createZeroAddress } from '@ethereumjs/util';
import {
  type Address,
  bytesToHex,
  decodeErrorResult,
  decodeEventLog,
  getAddress,
  type Hex,
  hexToBytes,
  isHex,
} from 'viem';
import { digitalKeyAbi, marketplaceAbi } from '../src/abis.ts';

const knownAbi = [...digitalKeyAbi, ...marketplaceAbi];

/** The parts of a transaction that a contract sees. */
export interface Call {
  readonly from: Address;
  readonly to: Address;
  readonly data: Hex;
  readonly value?: bigint;
}

/** A decoded event and the address of its contract. */
export interface Event {
  readonly address: Address;
  readonly eventName: string;
  readonly args: unknown;
}

/** A real EVM in this process, without blocks and fees. Tests set its clock. */
export class EvmChain {
  /** The EVM's default. */
  readonly chainId = 1;
  /** The block timestamp, in Unix seconds. */
  now = 1_800_000_000n;
  readonly #evm: EVM;

  private constructor(evm: EVM) {
    this.#evm = evm;
  }

  static async open(): Promise<EvmChain> {
    return new EvmChain(await createEVM());
  }

  async setBalance(address: Address, balance: bigint): Promise<void> {
    await this.#evm.stateManager.modifyAccountFields(createAddressFromString(address), { balance });
  }

  async balanceOf(address: Address): Promise<bigint> {
    const account = await this.#evm.stateManager.getAccount(createAddressFromString(address));
    return account?.balance ?? 0n;
  }

  /** Deploys a contract and returns its address. */
  async deploy(from: Address, data: Hex): Promise<Address> {
    const { createdAddress } = await this.#run({ from, data });
    if (createdAddress === undefined) throw new Error('No contract was deployed.');
    return getAddress(createdAddress.toString());
  }

  /** Runs a transaction and returns its events. Throws the revert reason, such as `WrongPrice(1,2)`. */
  async send(call: Call): Promise<Event[]> {
    const { execResult } = await this.#run(call);
    return (execResult.logs ?? []).map(([address, topics, data]) => {
      const [first, ...others] = topics.map((topic) => bytesToHex(topic));
      if (first === undefined) throw new Error('Unexpected anonymous event.');
      const event = decodeEventLog({ abi: knownAbi, topics: [first, ...others], data: bytesToHex(data) });
      return { address: getAddress(bytesToHex(address)), eventName: event.eventName, args: event.args };
    });
  }

  /** Returns the result of a call. */
  async read(to: Address, data: Hex): Promise<Hex> {
    const { execResult } = await this.#run({ from: to, to, data });
    return bytesToHex(execResult.returnValue);
  }

  async #run({ from, to, data, value = 0n }: Omit<Call, 'to'> & { to?: Address }) {
    const result = await this.#evm.runCall({
      caller: createAddressFromString(from),
      ...(to === undefined ? {} : { to: createAddressFromString(to) }),
      data: hexToBytes(data),
      value,
      gasLimit: 10_000_000n,
      block: { header: this.#header() },
    });
    // On a chain, the end of a transaction does this.
    await this.#evm.journal.cleanup();
    this.#evm.stateManager.originalStorageCache.clear();
    const { exceptionError, returnValue } = result.execResult;
    if (exceptionError) throw new Error(describeRevert(bytesToHex(returnValue)) ?? exceptionError.error);
    return result;
  }

  #header() {
    return {
      number: 1n,
      coinbase: createZeroAddress(),
      timestamp: this.now,
      difficulty: 0n,
      prevRandao: new Uint8Array(32),
      gasLimit: 30_000_000n,
      slotNumber: 0n,
      getBlobGasPrice: () => undefined,
    };
  }
}

/** Returns the error of a contract as text, or null without revert data. */
export function describeRevert(data: Hex): string | null {
  if (!isHex(data) || data === '0x') return null;
  const { errorName, args = [] } = decodeErrorResult({ abi: knownAbi, data });
  return `${errorName}(${args.join(',')})`;
}
