import { defineChain } from 'viem';

/** The chain that anvil runs. `viem/chains` has it too, but importing that loads the definitions of all chains. */
export const localChain = defineChain({
  id: 31_337,
  name: 'Anvil',
  nativeCurrency: { name: 'Ether', symbol: 'ETH', decimals: 18 },
  rpcUrls: { default: { http: ['http://127.0.0.1:8545'] } },
});
