import type { Nonce } from '@keyfront/protocol';
import { generatePrivateKey, type PrivateKeyAccount, privateKeyToAccount } from 'viem/accounts';
import { expect } from 'vitest';
import { createTokens } from '../../packages/server/src/auth/tokens.ts';
import type { AppDependencies } from '../../packages/server/src/boot/app.ts';
import { startTestApp, type TestApp } from './test-app.ts';
import { runSql } from './test-database.ts';

export const administrator = privateKeyToAccount(generatePrivateKey());
export const tokens = createTokens({
  secret: 'the secret of these tests, long enough',
  previousSecret: null,
});
export const nonceRefused =
  'the nonce was used, has expired or is not for this wallet and type: ask for a new one';

interface ReceivedEnvelope {
  readonly status: number;
  readonly reason: string | null;
  readonly body: { message: string; data: unknown };
}

interface SignInChanges {
  readonly change?: (message: string) => string;
  readonly signer?: PrivateKeyAccount;
  readonly email?: string;
  readonly type?: string;
}

interface Account {
  readonly address: string;
}

/** A service at which wallets sign in, and what they do there. */
export interface SignInService extends TestApp {
  sql<Row extends object>(text: string, values?: unknown[]): Promise<(Row & Record<string, unknown>)[]>;
  /** Makes a wallet with so many digital keys, none of them primary. */
  makeHolder(keyCount?: number): Promise<{ account: PrivateKeyAccount; tokenIds: number[] }>;
  findHolder(account: Account): Promise<{ email: string | null; primary: string | null } | undefined>;
  sessionsOf(account: Account): Promise<{ id: string; domain: string }[]>;
  post(path: string, body: unknown): Promise<ReceivedEnvelope>;
  askNonce(body: object): Promise<Nonce>;
  /** Asks for a nonce, signs the message, and sends both. `change` changes the message before it is signed. */
  signInAs(account: PrivateKeyAccount, changes?: SignInChanges): Promise<ReceivedEnvelope>;
}

let lastTokenId = 100;

export async function startSignInService(
  settings: Partial<AppDependencies['signIn']> = {},
): Promise<SignInService> {
  const app = await startTestApp({
    tokens,
    signIn: {
      domain: 'shop.example',
      uri: 'https://shop.example/api/v1',
      chainId: 1,
      rpcUrl: null,
      adminWallets: [administrator.address],
      ...settings,
    },
  });
  const sql: SignInService['sql'] = (text, values = []) => runSql(app.ownerUrl, text, values);
  await sql(`INSERT INTO keyfront.planets (number, name) VALUES (1, 'Verdane')`);

  const post: SignInService['post'] = async (path, body) => {
    const response = await fetch(`${app.origin}/api/v1/auth/${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    const challenge = response.headers.get('www-authenticate');
    return {
      status: response.status,
      reason: challenge && (/error_description="(.*)"$/.exec(challenge)?.[1] ?? ''),
      body: (await response.json()) as ReceivedEnvelope['body'],
    };
  };

  const askNonce: SignInService['askNonce'] = async (body) => {
    const { status, body: envelope } = await post('nonce', body);
    expect(status).toBe(201);
    return envelope.data as Nonce;
  };

  return {
    ...app,
    sql,
    post,
    askNonce,
    makeHolder: async (keyCount = 1) => {
      const account = privateKeyToAccount(generatePrivateKey());
      const wallet = account.address.toLowerCase();
      const tokenIds = Array.from({ length: keyCount }, () => ++lastTokenId);
      await sql('INSERT INTO keyfront.holders (wallet_address) VALUES ($1)', [wallet]);
      await sql(
        `INSERT INTO keyfront.digital_keys (token_id, holder_id, planet_id)
         SELECT unnest($2::int[]), holders.id, planets.id FROM keyfront.holders, keyfront.planets WHERE wallet_address = $1`,
        [wallet, tokenIds.toReversed()],
      );
      return { account, tokenIds };
    },
    findHolder: async ({ address }) => {
      const [row] = await sql<{ email: string | null; primary: string | null }>(
        'SELECT email, primary_token_id AS primary FROM keyfront.holders WHERE wallet_address = $1',
        [address.toLowerCase()],
      );
      return row;
    },
    sessionsOf: ({ address }) =>
      sql<{ id: string; domain: string }>(
        'SELECT id, domain FROM keyfront.sessions WHERE wallet_address = $1',
        [address.toLowerCase()],
      ),
    signInAs: async (
      account,
      { change = (message: string) => message, signer = account, ...request } = {},
    ) => {
      const { message } = await askNonce({ walletAddress: account.address, ...request });
      const changed = change(message);
      return post('signIn', { message: changed, signature: await signer.signMessage({ message: changed }) });
    },
  };
}

/** Writes the same signature with the other spelling of its last byte, which is valid as well. */
export const respellSignature = (signature: string) =>
  signature.slice(0, -2) + (signature.endsWith('1b') ? '00' : '01');

export function expectRefused(response: ReceivedEnvelope, expected: string | RegExp): void {
  const reason = typeof expected === 'string' ? expected : expect.stringMatching(expected);
  expect(response).toEqual({
    status: 401,
    reason,
    body: {
      ...{ success: false, statusCode: 401, code: 'SIGN_IN_FAILED', message: 'Unauthorized' },
      ...{ reason, data: null },
    },
  });
}
