import { findChain, type NodeSettings } from '@keyfront/evm';
import { authOperations } from '@keyfront/protocol';
import { unauthorized } from '../../auth/challenge.ts';
import type { Tokens } from '../../auth/tokens.ts';
import type { Database } from '../../database/database.ts';
import type { OperationRouter } from '../../pipeline/operation-router.ts';
import { createNonce } from './nonces.ts';
import { type SignInDomainSettings, SignInDomains } from './sign-in-domains.ts';
import { parseMessage } from './sign-in-message.ts';
import { SignInError, signIn } from './sign-in-rules.ts';

export interface SignInDependencies {
  readonly database: Database;
  readonly tokens: Tokens;
  /** The clock of the database. */
  readonly now: () => number;
  readonly signIn: SignInSettings;
}

export interface SignInSettings extends NodeSettings, SignInDomainSettings {
  readonly adminWallets: readonly string[];
}

/** The wallet that a message names, in lower case. */
function readWallet(text: string): string {
  const message = parseMessage(text);
  return typeof message === 'string' ? 'unknown' : message.address.toLowerCase();
}

export function addSignInRoutes(
  router: OperationRouter,
  { database, tokens, now, signIn: settings }: SignInDependencies,
): void {
  const domains = new SignInDomains(settings);
  const chain = findChain(settings);
  const administratorWallets = new Set(settings.adminWallets.map((wallet) => wallet.toLowerCase()));

  router.add(authOperations.requestNonce, ({ body }) => createNonce(database, domains, body));

  router.add(
    authOperations.signIn,
    async ({ body }) => {
      const rules = { domains, chain, administratorWallets, now, planSession: tokens.planSession };
      const { walletAddress, session, holder } = await signIn(database, rules, body).catch((error) => {
        if (!(error instanceof SignInError)) throw error;
        throw unauthorized('jwt', {
          code: 'SIGN_IN_FAILED',
          scheme: 'Bearer',
          reason: error.message,
          actor: { claimedWallet: readWallet(body.message) },
        });
      });
      const token = await tokens.issue({
        walletAddress,
        role: session.role,
        sessionId: session.id,
        createdAt: new Date(session.createdAt),
        expiresAt: new Date(session.expiresAt),
      });
      return { ...token, holder };
    },
    {
      securityEvent: 'sign_in.succeeded',
      describeActor: ({ message }) => ({ wallet: readWallet(message) }),
    },
  );
}
