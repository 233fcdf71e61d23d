import { authOperations } from '@keyfront/protocol';
import { unauthorized } from '../../auth/challenge.ts';
import type { Tokens } from '../../auth/tokens.ts';
import { findChain, type NodeSettings } from '../../chain/smart-wallet.ts';
import type { Database } from '../../database/database.ts';
import type { OperationBinder } from '../../pipeline/operation-binder.ts';
import { createNonce } from './nonces.ts';
import { parseMessage } from './sign-in-message.ts';
import { SignInError, signIn } from './sign-in-rules.ts';

export interface SignInParts {
  readonly database: Database;
  readonly tokens: Tokens;
  readonly signIn: SignInSettings;
}

export interface SignInSettings extends NodeSettings {
  /** Functions, because the base URL may be known only when the service listens. */
  readonly domain: () => string;
  readonly uri: () => string;
  readonly adminWallets: readonly string[];
}

/** The wallet that a message names, in lower case. */
function readWallet(text: string): string {
  const message = parseMessage(text);
  return typeof message === 'string' ? 'unknown' : message.address.toLowerCase();
}

export function bindSignIn(
  binder: OperationBinder,
  { database, tokens, signIn: settings }: SignInParts,
): void {
  const expected = () => ({ domain: settings.domain(), uri: settings.uri(), chainId: settings.chainId });
  const chain = findChain(settings);
  const administratorWallets = new Set(settings.adminWallets.map((wallet) => wallet.toLowerCase()));

  binder.bind(authOperations.requestNonce, ({ body }) => createNonce(database, expected(), body));

  binder.bind(
    authOperations.signIn,
    async ({ body }) => {
      const rules = { ...expected(), chain, administratorWallets };
      const { holder, ...claims } = await signIn(database, rules, body).catch((error) => {
        if (!(error instanceof SignInError)) throw error;
        throw unauthorized('jwt', {
          code: 'SIGN_IN_FAILED',
          scheme: 'Bearer',
          reason: error.message,
          actor: { claimedWallet: readWallet(body.message) },
        });
      });
      return { ...(await tokens.issue(claims)), holder };
    },
    {
      securityEvent: 'sign_in.succeeded',
      describeActor: ({ message }) => ({ wallet: readWallet(message) }),
    },
  );
}
