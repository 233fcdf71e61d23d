import type { Tokens } from '../../auth/tokens.ts';
import { addHolderRoutes } from '../../resources/holders/holder-routes.ts';
import { addKeyRoutes } from '../../resources/keys/key-routes.ts';
import { addSessionRoutes } from '../../resources/sessions/session-routes.ts';
import { addSignInRoutes, type SignInSettings } from '../../resources/sign-in/sign-in-routes.ts';
import type { Area } from './area.ts';

export interface IdentityDependencies {
  readonly tokens: Tokens;
  /** The clock of the database, for messages that wallets sign. The default is that of this machine. */
  readonly databaseNow?: () => number;
  /** Where domain and address are null, they are those of the base address. */
  readonly signIn: Omit<SignInSettings, 'domain' | 'uri'> & {
    readonly domain: string | null;
    readonly uri: string | null;
  };
}

/** Sign-in with a wallet, sessions, API keys and holders. */
export function addIdentity(
  { router, database, baseUrl }: Area,
  { tokens, databaseNow: now = Date.now, signIn }: IdentityDependencies,
): void {
  addSignInRoutes(router, {
    ...{ database, tokens, now },
    signIn: {
      ...signIn,
      domain: () => signIn.domain ?? new URL(baseUrl()).host,
      uri: () => signIn.uri ?? baseUrl(),
    },
  });
  addSessionRoutes(router, database);
  addKeyRoutes(router, database);
  addHolderRoutes(router, database);
}
