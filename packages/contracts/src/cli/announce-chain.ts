import type { Deployment } from '../deploy.ts';
import type { DemoWallet } from './read-demo-wallets.ts';

/** The details of a running chain that users need. */
export interface ReadyChain {
  readonly chainId: number;
  readonly rpcUrl: string;
  readonly blockTimeSeconds: number;
  readonly deployment: Deployment;
  readonly wallets: readonly DemoWallet[];
  /** The data folder from the environment. Another terminal does not have this variable, so the command sets it. */
  readonly dataFolder: string | undefined;
}

/** Returns the message for a running chain, with the command that starts the service on it. */
export function announceChain(chain: ReadyChain): string {
  const settings = {
    ...(chain.dataFolder ? { KEYFRONT_DATA: quoteForShell(chain.dataFolder) } : {}),
    CHAIN_ID: chain.chainId,
    RPC_URL: chain.rpcUrl,
    TOKEN_CONTRACT: chain.deployment.digitalKey,
    MARKETPLACE_CONTRACT: chain.deployment.marketplace,
    CHAIN_START_BLOCK: chain.deployment.block,
  };
  const lines = [
    ...chain.wallets.map(({ name, tokenIds }) => `  Wallet     ${name}: digital keys ${tokenIds.join(', ')}`),
    `The chain is ready: ${chain.rpcUrl}, with a block every ${chain.blockTimeSeconds} s. Ctrl-C stops it. Start the service with:`,
    '',
    `${Object.entries(settings)
      .map(([name, value]) => `${name}=${value}`)
      .join(' ')} npm start`,
    '',
  ];
  return `${lines.join('\n')}\n`;
}

function quoteForShell(text: string): string {
  return /^[\w./-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;
}
