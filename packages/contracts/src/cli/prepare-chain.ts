import { createTestClient, createWalletClient, http, parseEther, publicActions } from 'viem';
import { mnemonicToAccount } from 'viem/accounts';
import { digitalKeyAbi } from '../abis.ts';
import { type Deployment, deployContracts } from '../deploy.ts';
import { localChain } from '../local-chain.ts';
import type { DemoWallet } from './read-demo-wallets.ts';

// Anvil's public test account. A fixed deployer gives the contracts the same addresses on every start.
const deployer = mnemonicToAccount('test test test test test test test test test test test junk');
const allowance = parseEther('100');

/** Deploys the contracts on an anvil and gives the wallets their digital keys and some ether. */
export async function prepareChain(
  anvil: { readonly rpcUrl: string; readonly chainId: number },
  wallets: readonly DemoWallet[],
): Promise<Deployment> {
  const connection = { chain: { ...localChain, id: anvil.chainId }, transport: http(anvil.rpcUrl) };
  const wallet = createWalletClient({ ...connection, account: deployer, pollingInterval: 50 });
  const control = createTestClient({ ...connection, mode: 'anvil' });
  const deployment = await deployContracts(wallet);
  for (const { walletAddress, tokenIds } of wallets) {
    await control.setBalance({ address: walletAddress, value: allowance });
    for (const tokenId of tokenIds) {
      const hash = await wallet.writeContract({
        address: deployment.digitalKey,
        abi: digitalKeyAbi,
        functionName: 'mint',
        args: [walletAddress, BigInt(tokenId)],
      });
      const { status } = await wallet.extend(publicActions).waitForTransactionReceipt({ hash });
      if (status === 'reverted') throw new Error(`Failed to mint digital key ${tokenId}.`);
    }
  }
  return deployment;
}

/** Switches anvil to mine a block every `seconds`, with or without transactions. */
export async function mineEvery(rpcUrl: string, seconds: number): Promise<void> {
  await createTestClient({ mode: 'anvil', transport: http(rpcUrl) }).setIntervalMining({ interval: seconds });
}
