import { defineChain } from 'viem';
import { createConfig, unstable_connector } from 'wagmi';
import { injected } from 'wagmi/connectors';
import { pageSettings } from '../page-settings.ts';
import { browserWalletName } from './announced-wallets.ts';

/** The chain of the service. Only the wallet talks to it: the page may connect to no other host. */
const chain = defineChain({
  id: pageSettings.chainId,
  name: pageSettings.chainId === 1 ? 'Ethereum' : `Chain ${pageSettings.chainId}`,
  nativeCurrency: { name: 'Ether', symbol: 'ETH', decimals: 18 },
  rpcUrls: { default: { http: [] } },
});

/** What a wallet that knows no EIP-6963 puts into the page (EIP-1193). It does not say its name. */
const browserWallet = {
  id: 'browserWallet',
  name: browserWalletName,
  provider: () => window.ethereum as never,
} as const;

/** Finds every installed wallet by EIP-6963, and one that is only there. */
export const walletConfig = createConfig({
  chains: [chain],
  connectors: [injected({ target: browserWallet, shimDisconnect: false })],
  multiInjectedProviderDiscovery: true,
  storage: null,
  transports: { [chain.id]: unstable_connector(injected) },
});
