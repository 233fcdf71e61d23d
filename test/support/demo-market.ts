import { type Deployment, deployContracts, digitalKeyAbi, localChain, startAnvil } from '@keyfront/contracts';
import { askNodeAt, openChainSource } from '@keyfront/evm/chain';
import { createTestClient, createWalletClient, type Hex, http, parseEther, publicActions } from 'viem';
import { mnemonicToAccount } from 'viem/accounts';
import { ChainReader } from '../../packages/server/src/chain/reader/chain-reader.ts';
import { followChain } from '../../packages/server/src/chain/reader/follow-chain.ts';
import { type DemoService, startDemoService } from './demo-service.ts';

/** The demo beside an anvil that has its digital keys, whose blocks the service reads. */
export interface DemoMarket {
  readonly service: DemoService;
  readonly contracts: Deployment;
  readonly rpcUrl: string;
  close(): Promise<void>;
}

export const testExplorerUrl = 'https://explorer.example';

/** The account that every anvil gives money to. */
const deployer = mnemonicToAccount('test test test test test test test test test test test junk');

export async function startDemoMarket(): Promise<DemoMarket> {
  const anvil = await startAnvil({ chainId: localChain.id });
  if (!anvil) throw new Error('There is no anvil');
  const connection = { chain: localChain, transport: http(anvil.rpcUrl), pollingInterval: 50 };
  const wallet = createWalletClient({ ...connection, account: deployer }).extend(publicActions);
  const control = createTestClient({ ...connection, mode: 'anvil' });
  const contracts = await deployContracts(wallet);
  const service = await startDemoService({
    marketplaceContract: contracts.marketplace.toLowerCase(),
    explorerUrl: testExplorerUrl,
    chainId: localChain.id,
  });
  for (const { walletAddress, tokenIds } of service.demo.holders) {
    await control.setBalance({ address: walletAddress as Hex, value: parseEther('100') });
    for (const tokenId of tokenIds) {
      const hash = await wallet.writeContract({
        address: contracts.digitalKey,
        abi: digitalKeyAbi,
        functionName: 'mint',
        args: [walletAddress as Hex, BigInt(tokenId)],
      });
      await wallet.waitForTransactionReceipt({ hash });
    }
  }
  const watched = {
    token: contracts.digitalKey.toLowerCase(),
    marketplace: contracts.marketplace.toLowerCase(),
  };
  const reading = followChain({
    databaseUrl: service.loginUrl,
    makeReader: async (signal) =>
      new ChainReader({
        database: service.database,
        source: openChainSource(askNodeAt(anvil.rpcUrl, signal), watched),
        name: { chainId: localChain.id, contracts: watched },
        startBlock: 0,
      }),
    onFault: () => undefined,
    onStopped: () => undefined,
    pollMs: 100,
  });
  return {
    service,
    contracts,
    rpcUrl: anvil.rpcUrl,
    close: async () => {
      await reading.stop();
      await service.close();
      await anvil.stop();
    },
  };
}
