import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { generatePrivateKey, type PrivateKeyAccount, privateKeyToAccount } from 'viem/accounts';
import { createTokens, type Tokens } from '../../packages/server/src/auth/tokens.ts';
import type { AppDependencies } from '../../packages/server/src/boot/app.ts';
import { createAuthentication } from '../../packages/server/src/boot/authentication.ts';
import { ChangeFeed } from '../../packages/server/src/database/coordination/change-feed.ts';
import type { Database } from '../../packages/server/src/database/database.ts';
import { createConcurrencyLimits } from '../../packages/server/src/limits/concurrency/concurrency-limits.ts';
import type { RateLimits } from '../../packages/server/src/limits/rates/rate-limits.ts';
import { SecurityLog } from '../../packages/server/src/observability/security-log.ts';
import { OperationRouter } from '../../packages/server/src/pipeline/operation-router.ts';
import { UnreadResponses } from '../../packages/server/src/pipeline/responses/unread-responses.ts';
import { beginSession } from './begin-session.ts';
import type { CurlAnswer } from './curl.ts';
import { makeOpensslKey, type OpensslKey } from './openssl.ts';
import { sendRequest } from './send-request.ts';
import { noLimits, startTestAppOn, type TestApp, testCipher, testSecret } from './test-app.ts';
import { createTestDatabase, runSql } from './test-database.ts';

/** A service with its real guard, two holders and an administrator. */
export interface GuardedApp extends TestApp {
  readonly base: string;
  readonly tokens: Tokens;
  /** Owns the digital keys 1 (primary) and 2; `key` acts for 1. */
  readonly ada: PrivateKeyAccount;
  readonly key: OpensslKey;
  /** Owns the digital key 3. */
  readonly ben: PrivateKeyAccount;
  readonly admin: PrivateKeyAccount;
  /** For files of the test. */
  readonly folder: string;
  /** The token of a wallet that signs in as its owner would. */
  signIn(account: PrivateKeyAccount, type?: string): Promise<string>;
  /** The token of a wallet without its signature, and whether or not it owns a digital key. */
  beginSession(account: PrivateKeyAccount, issuer?: Tokens): Promise<string>;
  /** Calls with a token; the body is JSON. */
  call(token: string, method: string, path: string, body?: unknown): Promise<CurlAnswer>;
}

export async function startGuardedApp(
  prepare?: (router: OperationRouter) => void,
  limits: RateLimits = noLimits,
  parts: Partial<Pick<AppDependencies, 'bodyMemory' | 'publicUrl'>> & {
    /** What the service takes for the time of the database, made from the database. */
    readonly createClock?: (database: Database) => Promise<() => number>;
  } = {},
): Promise<GuardedApp> {
  const testDatabase = await createTestDatabase();
  const [ada, ben, admin] = [newWallet(), newWallet(), newWallet()];
  const folder = mkdtempSync(join(tmpdir(), 'keyfront-guarded-'));
  const key = makeOpensslKey(folder, 'ada');
  await insertHolders(testDatabase.ownerUrl, ada, ben, key);
  const { createClock, ...appParts } = parts;
  const databaseNow = (await createClock?.(testDatabase.database)) ?? Date.now;
  const tokens = createTokens({
    secret: testSecret,
    previousSecret: null,
    now: () => new Date(databaseNow()),
  });
  const adminWallets = [admin.address.toLowerCase()];
  const feed = new ChangeFeed({ url: testDatabase.loginUrl });
  const authentication = createAuthentication({
    database: testDatabase.database,
    feed,
    tokens,
    limits,
    adminWallets,
    publicUrl: parts.publicUrl ?? null,
    logger: { warn: () => undefined },
    databaseNow,
  });
  await feed.start();
  const app = await startTestAppOn(
    testDatabase,
    {
      ...appParts,
      databaseNow,
      guard: authentication.guard,
      tokens,
      limits,
      signIn: {
        ...{ domain: null, uri: null, chainId: 1, rpcUrl: null, adminWallets },
        otherDomains: ['store.example'],
      },
    },
    (instance) =>
      prepare?.(
        new OperationRouter(instance, {
          guard: authentication.guard,
          limits,
          database: testDatabase.database,
          responseCipher: testCipher,
          callbackSecrets: { KYC: [], PAYMENT: [] },
          concurrencyLimits: createConcurrencyLimits({ poolSize: 25, streamPoolSize: 2 }),
          stallTimeoutMs: 30_000,
          unreadResponses: new UnreadResponses(),
          securityLog: new SecurityLog({ info: () => undefined, warn: () => undefined }),
        }),
      ),
  );
  const base = `${app.origin}/api/v1`;
  return {
    ...app,
    base,
    tokens,
    ada,
    ben,
    admin,
    key,
    folder,
    signIn: async (account, type = 'dapp') => {
      const nonce = await sendJson(`${base}/auth/nonce`, 'POST', { walletAddress: account.address, type });
      const { message } = readData<{ message: string }>(nonce);
      const signature = await account.signMessage({ message });
      const answer = await sendJson(`${base}/auth/signIn`, 'POST', { message, signature });
      return readData<{ token: string }>(answer).token;
    },
    beginSession: ({ address }, issuer = tokens) =>
      beginSession((text, values) => runSql(testDatabase.ownerUrl, text, values), issuer, {
        walletAddress: address,
        role: 'holder',
      }),
    call: (token, method, path, body) =>
      sendJson(base + path, method, body, { authorization: `Bearer ${token}` }),
    close: async () => {
      await app.app.close();
      await authentication.close();
      await feed.close();
      await testDatabase.close();
      rmSync(folder, { recursive: true });
    },
  };
}

/** Sends a request without a process of its own, which takes a tenth of the time of curl. */
export async function sendJson(
  url: string,
  method: string,
  body?: unknown,
  headers: Record<string, string> = {},
): Promise<CurlAnswer> {
  const {
    status,
    headers: received,
    text,
  } = await sendRequest(url, {
    method,
    headers: { ...headers, ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  return {
    status,
    headers: new Map(received),
    text,
    get json(): unknown {
      return JSON.parse(text);
    },
  };
}

/** The `data` of a success; a failure fails the test with what it says. */
export function readData<Data>(answer: CurlAnswer): Data {
  if (answer.status >= 300) throw new Error(`${answer.status}: ${answer.text}`);
  return (answer.json as { data: Data }).data;
}

function newWallet(): PrivateKeyAccount {
  return privateKeyToAccount(generatePrivateKey());
}

async function insertHolders(
  ownerUrl: string,
  ada: PrivateKeyAccount,
  ben: PrivateKeyAccount,
  key: OpensslKey,
): Promise<void> {
  const pem = Buffer.from(key.apiKey, 'base64').toString();
  const der = Buffer.from(pem.replaceAll(/-----[^-]+-----|\s/g, ''), 'base64');
  await runSql(
    ownerUrl,
    `SET search_path = keyfront;
     INSERT INTO planets (number, name) VALUES (1, 'Verdane');
     INSERT INTO holders (wallet_address) VALUES ('${ada.address.toLowerCase()}'), ('${ben.address.toLowerCase()}');
     INSERT INTO digital_keys (token_id, holder_id, planet_id)
       SELECT token, holders.id, planets.id FROM planets, holders
       JOIN (VALUES ('${ada.address.toLowerCase()}', 1), ('${ada.address.toLowerCase()}', 2),
         ('${ben.address.toLowerCase()}', 3)) AS owned (wallet, token) ON wallet = wallet_address;
     UPDATE holders SET primary_token_id = (SELECT min(token_id) FROM digital_keys WHERE holder_id = holders.id);
     INSERT INTO api_keys (holder_id, token_id, key_name, public_key)
       SELECT id, 1, 'Made by OpenSSL', '\\x${der.toString('hex')}' FROM holders
       WHERE wallet_address = '${ada.address.toLowerCase()}'`,
  );
}
