import {
  type Account,
  type Address,
  type Chain,
  type Client,
  getAddress,
  type Hash,
  publicActions,
  type Transport,
  type WalletClient,
} from 'viem';
import { readContracts } from './read-contracts.ts';

/** Where the contracts are on a chain. */
export interface Deployment {
  readonly digitalKey: Address;
  readonly marketplace: Address;
  /** The block of the first of them: before it there is nothing to read. */
  readonly block: bigint;
}

/** Deploys both contracts; the wallet becomes the one that may mint. */
export async function deployContracts(wallet: WalletClient<Transport, Chain, Account>): Promise<Deployment> {
  const contracts = await readContracts();
  const digitalKey = await waitForContract(wallet, await wallet.deployContract(contracts.digitalKey));
  const marketplace = await waitForContract(
    wallet,
    await wallet.deployContract({ ...contracts.marketplace, args: [digitalKey.address] }),
  );
  return { digitalKey: digitalKey.address, marketplace: marketplace.address, block: digitalKey.block };
}

async function waitForContract(client: Client, hash: Hash): Promise<{ address: Address; block: bigint }> {
  const receipt = await client.extend(publicActions).waitForTransactionReceipt({ hash });
  if (receipt.status === 'reverted' || !receipt.contractAddress) {
    throw new Error(`The transaction ${hash} deployed nothing.`);
  }
  return { address: getAddress(receipt.contractAddress), block: receipt.blockNumber };
}
