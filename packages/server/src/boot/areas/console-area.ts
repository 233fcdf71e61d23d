import type { Provider } from '@keyfront/protocol';
import { addConsoleRoutes } from '../../http/console/console-routes.ts';
import type { RateLimits } from '../../limits/rates/rate-limits.ts';
import { createConsoleAccess } from '../../resources/demo/console-access.ts';
import { addDemoProviderRoutes } from '../../resources/demo/demo-provider-routes.ts';
import { addDemoWalletRoutes, type DemoWallets } from '../../resources/demo/demo-wallet-routes.ts';
import type { ProviderSettings } from '../../resources/providers/provider-settings.ts';
import type { Area } from './area.ts';
import type { IdentityDependencies } from './identity-area.ts';

export interface ConsoleDependencies {
  readonly limits: RateLimits;
  readonly signIn: IdentityDependencies['signIn'];
  /** Null where the operator has set up none. */
  readonly providers: Readonly<Record<Provider, ProviderSettings | null>>;
  /** What signatures of sales name; null: the zero address. */
  readonly marketplaceContract: string | null;
  /** The block explorer that the console links transactions to. The default is the well-known one of the chain, if it has one. */
  readonly explorerUrl?: string | null;
  /** Whether the console is served. The default is that it is not. */
  readonly console?: boolean;
  /** The wallets of the demo, for visitors of the console who have opened the link with this token. Only used in the demo. */
  readonly demoWallets?: { readonly token: string; readonly read: () => Promise<DemoWallets | null> } | null;
}

/** The block explorers of the chains that have a well-known one. */
const explorers: Readonly<Record<number, string>> = {
  1: 'https://etherscan.io',
  11155111: 'https://sepolia.etherscan.io',
};

/** The console, and the pages of the demo. */
export async function addConsole(
  { app, database, isDemo, isSandbox }: Area,
  { limits, providers, signIn: { chainId }, marketplaceContract, ...options }: ConsoleDependencies,
): Promise<void> {
  // 302, because browsers remember a permanent redirect after the target has moved.
  app.get('/', (_request, reply) => reply.redirect(options.console && isDemo ? '/console' : '/docs', 302));
  if (isDemo || isSandbox) await addDemoProviderRoutes(app, { database, limits, providers, isSandbox });
  if (!options.console) return;
  const demoWallets = isDemo && options.demoWallets ? options.demoWallets : null;
  const demoAccess = demoWallets && createConsoleAccess(demoWallets.token);
  if (demoAccess) addDemoWalletRoutes(app, { read: demoWallets.read, access: demoAccess, limits });
  const explorerUrl = options.explorerUrl ?? explorers[chainId] ?? null;
  addConsoleRoutes(app, { demoAccess, chainId, marketplaceContract, explorerUrl, isSandbox });
}
