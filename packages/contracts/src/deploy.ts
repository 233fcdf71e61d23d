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

/** The addresses of the contracts on a chain. */
export interface Deployment {
  readonly digitalKey: Address;
  readonly marketplace: Address;
  /** The block of the first deployment. Earlier blocks have no events of the contracts. */
  readonly block: bigint;
}

/** Deploys both contracts. Only the deploying wallet can mint. */
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
    throw new Error(`Transaction ${hash} did not deploy a contract.`);
  }
  return { address: getAddress(receipt.contractAddress), block: receipt.blockNumber };
}
