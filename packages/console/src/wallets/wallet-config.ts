import { defineChain } from 'viem';
import { createConfig, unstable_connector } from 'wagmi';
import { injected } from 'wagmi/connectors';
import { pageSettings } from '../page-settings.ts';

/** The chain of the service. Only the wallet talks to it: the page may connect to no other host. */
const chain = defineChain({
  id: pageSettings.chainId,
  name: pageSettings.chainId === 1 ? 'Ethereum' : `Chain ${pageSettings.chainId}`,
  nativeCurrency: { name: 'Ether', symbol: 'ETH', decimals: 18 },
  rpcUrls: { default: { http: [] } },
});

/** Finds every installed wallet by EIP-6963. */
export const walletConfig = createConfig({
  chains: [chain],
  connectors: [],
  multiInjectedProviderDiscovery: true,
  storage: null,
  transports: { [chain.id]: unstable_connector(injected) },
});
