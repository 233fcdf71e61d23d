import { digitalKeyAbi, marketplaceAbi } from '@keyfront/contracts/abis';
import type { NftSaleTypedData } from '@keyfront/sdk';
import type { Abi, Address, Hex } from 'viem';
import { readContract, simulateContract, waitForTransactionReceipt, writeContract } from 'viem/actions';
import type { ChainClient } from '../../wallets/session-wallet.ts';
import { explainChainError } from './chain-error.ts';

/** The terms of an offer, as the contract takes them. */
export interface ListingTerms {
  readonly saleId: Hex;
  readonly owner: Address;
  readonly tokenId: bigint;
  readonly nonce: bigint;
  /** In wei. */
  readonly price: bigint;
  /** In Unix seconds. */
  readonly expiry: bigint;
}

/** The states of a sale in the contract, by their numbers there. */
const contractStates = ['unknown', 'listed', 'cancelled', 'sold'] as const;

/** The marketplace contract, as one wallet calls it. */
export interface MarketplaceContract {
  /** Whether the contract may move the digital key when it is sold. */
  isApproved(terms: ListingTerms): Promise<boolean>;
  stateOf(terms: ListingTerms): Promise<(typeof contractStates)[number]>;
  approve(tokenId: bigint): Promise<Hex>;
  list(terms: ListingTerms, signature: Hex): Promise<Hex>;
  cancel(terms: ListingTerms, signature: Hex): Promise<Hex>;
  buy(terms: ListingTerms): Promise<Hex>;
}

interface ContractCall {
  readonly address: Address;
  readonly abi: Abi;
  readonly functionName: string;
  readonly args: readonly unknown[];
  readonly value?: bigint;
}

const pollingIntervalMs = 1_000;

/** Reads the terms from what the seller signs. */
export function readTerms({ message }: NftSaleTypedData): ListingTerms {
  return {
    saleId: message.saleId as Hex,
    owner: message.owner as Address,
    tokenId: BigInt(message.tokenId),
    nonce: BigInt(message.nonce),
    price: BigInt(message.price),
    expiry: BigInt(message.expiry),
  };
}

/** Opens the contract. Each call that changes something resolves with the hash of its transaction once a block has it. */
export async function openMarketplace(client: ChainClient, address: Address): Promise<MarketplaceContract> {
  const market = { address, abi: marketplaceAbi } as const;
  const send = (call: ContractCall) => sendTransaction(client, call);
  const token = await readContract(client, { ...market, functionName: 'token' });
  const key = { address: token, abi: digitalKeyAbi } as const;
  return {
    isApproved: async ({ owner, tokenId }) => {
      const approved = await readContract(client, { ...key, functionName: 'getApproved', args: [tokenId] });
      if (approved.toLowerCase() === address.toLowerCase()) return true;
      return readContract(client, { ...key, functionName: 'isApprovedForAll', args: [owner, address] });
    },
    stateOf: async ({ owner, tokenId, saleId }) => {
      const args = [owner, tokenId, saleId] as const;
      return (
        contractStates[await readContract(client, { ...market, functionName: 'states', args })] ?? 'unknown'
      );
    },
    approve: (tokenId) => send({ ...key, functionName: 'approve', args: [address, tokenId] }),
    list: (terms, signature) => send({ ...market, functionName: 'list', args: [terms, signature] }),
    cancel: (terms, signature) =>
      send({ ...market, functionName: 'cancelBySignature', args: [terms, signature] }),
    buy: ({ owner, tokenId, saleId, price }) =>
      send({ ...market, functionName: 'buy', args: [owner, tokenId, saleId], value: price }),
  };
}

async function sendTransaction(client: ChainClient, call: ContractCall): Promise<Hex> {
  try {
    // Before the wallet asks its owner: what the contract would refuse costs no fee then.
    const { request } = await simulateContract(client, { ...call, account: client.account });
    const hash = await writeContract(client, request);
    const { status } = await waitForTransactionReceipt(client, { hash, pollingInterval: pollingIntervalMs });
    if (status !== 'success') throw new Error(`The chain has reverted the transaction ${hash}`);
    return hash;
  } catch (error) {
    throw explainChainError(error as Error);
  }
}
