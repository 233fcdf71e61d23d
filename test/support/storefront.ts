import { generateKeyPairSync, type KeyObject } from 'node:crypto';
import type { Provider } from '@keyfront/protocol';
import pg from 'pg';
import type { Hex } from 'viem';
import { generatePrivateKey, type PrivateKeyAccount, privateKeyToAccount } from 'viem/accounts';
import { expect } from 'vitest';
import { createTokens } from '../../packages/server/src/auth/tokens.ts';
import type { AppDependencies } from '../../packages/server/src/boot/app.ts';
import { createAuthentication } from '../../packages/server/src/boot/authentication.ts';
import { ChangeFeed } from '../../packages/server/src/database/coordination/change-feed.ts';
import { verifyInstallation } from '../../packages/server/src/resources/sandbox/verify-installation.ts';
import { beginSession } from './begin-session.ts';
import { createCountingVerifier } from './counting-verifier.ts';
import { type ReceivedResponse, sendRequest } from './send-request.ts';
import { type RequestToBind, signBound } from './sign-bound.ts';
import { createSigner } from './sign-payload.ts';
import { noLimits, startTestAppOn, type TestApp, testSecret } from './test-app.ts';
import { createTestDatabase, type TestDatabase } from './test-database.ts';
import { signMessage, testSecrets } from './test-providers.ts';

/** What came back. */
export interface Reply {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  /** The whole envelope. */
  readonly envelope: { success: boolean; statusCode: number; code?: string; message: string; data: unknown };
}

export interface Ask {
  readonly body?: unknown;
  readonly headers?: Record<string, string>;
  /** For a client that disconnects before the response. */
  readonly signal?: AbortSignal;
}

/** Somebody who calls the service, with credentials or without. */
export interface TestCaller {
  /** Relative to the version prefix, query included. A body is sent as JSON; a string or bytes as they are. */
  ask(method: string, path: string, ask?: Ask): Promise<Reply>;
  /** The same request, to be sent as often as one likes: with the same bytes, and with the same signature. */
  prepare(method: string, path: string, ask?: Ask): () => Promise<Reply>;
}

export interface TestHolder extends TestCaller {
  readonly holderId: string;
  readonly tokenId: number;
  readonly walletAddress: string;
  /** What the wallet signs with, and the key behind it. */
  readonly account: PrivateKeyAccount;
  readonly privateKey: Hex;
  /** The API key and its secret, for tests that sign requests themselves. */
  readonly apiKey: string;
  readonly secretKey: KeyObject;
  /** The same holder with signatures that are bound to their request. */
  readonly bound: TestCaller;
  /** The same holder with a JWT in place of a signature. */
  readonly signedIn: TestCaller;
  /** Begins another session of the same wallet, and returns its token. */
  beginSession(): Promise<string>;
}

/** A service with its real guard, and callers that no other test knows. */
export interface Storefront {
  readonly service: TestApp;
  readonly holder: TestHolder;
  /** Has another wallet and digital key. */
  readonly stranger: TestHolder;
  /** Has another digital key of the same wallet as `holder`. */
  readonly sibling: TestHolder;
  /** Makes one more digital key of the same wallet as `holder`, with an API key of its own. It is not the primary one. */
  addDigitalKey(): Promise<TestHolder>;
  /** Makes one more wallet with a digital key. */
  addWallet(): Promise<TestHolder>;
  readonly admin: TestCaller & { readonly walletAddress: string; readonly token: string };
  /** Comes with this token. */
  withToken(token: string): TestCaller;
  /** Comes without credentials. */
  readonly nobody: TestCaller;
  /** Comes with the key of `holder` and a signature of another one. */
  readonly forger: TestCaller;
  /** The outside providers, which sign what they send. */
  readonly providers: Readonly<Record<Provider, TestCaller>>;
  /** As the owner of the database, with the schema on the search path. */
  sql<Row extends pg.QueryResultRow>(text: string, values?: unknown[]): Promise<Row[]>;
}

const tokens = createTokens({ secret: testSecret, previousSecret: null });
const adminWallet = `0x${'ad'.repeat(20)}`;
/** What signatures of sales name. */
export const testMarketplace = {
  chainId: 1,
  contract: '0x52908400098527886E0F7030069857D2E4169EE7',
} as const;

const newKeyPair = () => generateKeyPairSync('ec', { namedCurve: 'secp256k1' });

let shared: Promise<StorefrontService> | undefined;
let sharedSandbox: Promise<StorefrontService> | undefined;
let lastTokenId = 0;

/** Callers of their own on a service that all test files of a worker share. */
export async function openStorefront(): Promise<Storefront> {
  shared ??= startStorefrontService((url) => new ChangeFeed({ url }));
  return openCallers(await shared);
}

/** The same on a sandbox, which has all operations. */
export async function openSandbox(): Promise<Storefront> {
  sharedSandbox ??= startStorefrontService((url) => new ChangeFeed({ url }), { sandbox: true });
  return openCallers(await sharedSandbox);
}

/** Callers of their own on this service. */
export async function openCallers({ service, owner }: StorefrontService): Promise<Storefront> {
  const base = `${service.origin}/api/v1`;
  const sql = async <Row extends pg.QueryResultRow>(text: string, values: unknown[] = []) =>
    (await owner.query<Row>(text, values)).rows;

  const addHolder = async (walletKey: Hex): Promise<TestHolder> => {
    const tokenId = ++lastTokenId;
    const account = privateKeyToAccount(walletKey);
    const walletAddress = account.address.toLowerCase();
    const { publicKey, privateKey } = newKeyPair();
    const [row] = await sql<{ holder_id: string }>(
      `WITH holder AS (
         INSERT INTO holders (wallet_address) VALUES ($1)
         ON CONFLICT (wallet_address) DO UPDATE SET wallet_address = excluded.wallet_address RETURNING id
       ), token AS (
         INSERT INTO digital_keys (token_id, holder_id, planet_id)
         SELECT $2, holder.id, planets.id FROM holder, planets WHERE planets.number = 1 RETURNING holder_id, token_id
       )
       INSERT INTO api_keys (holder_id, token_id, key_name, public_key)
       SELECT holder_id, token_id, 'storefront', $3 FROM token RETURNING holder_id`,
      [walletAddress, tokenId, publicKey.export({ type: 'spki', format: 'der' })],
    );
    const holderId = row?.holder_id ?? '';
    const apiKey = Buffer.from(publicKey.export({ type: 'spki', format: 'pem' })).toString('base64');
    const beginAnother = () => beginSession(sql, tokens, { walletAddress, role: 'holder' });
    const token = await beginAnother();
    return {
      holderId,
      tokenId,
      walletAddress,
      account,
      privateKey: walletKey,
      apiKey,
      secretKey: privateKey,
      ...signingCaller(base, apiKey, privateKey),
      bound: callerWith(base, (_payload, request) => signBound(privateKey, request)),
      signedIn: bearerCaller(base, token),
      beginSession: beginAnother,
    };
  };

  const makePrimary = ({ holderId, tokenId }: TestHolder) =>
    sql('UPDATE holders SET primary_token_id = $2 WHERE id = $1', [holderId, tokenId]);

  const [first, second] = [generatePrivateKey(), generatePrivateKey()];
  const sibling = await addHolder(first);
  const holder = await addHolder(first);
  const stranger = await addHolder(second);
  await Promise.all([makePrimary(holder), makePrimary(stranger)]);
  const token = await beginSession(sql, tokens, { walletAddress: adminWallet, role: 'administrator' });
  return {
    service,
    holder,
    stranger,
    sibling,
    addDigitalKey: () => addHolder(first),
    addWallet: async () => {
      const added = await addHolder(generatePrivateKey());
      await makePrimary(added);
      return added;
    },
    admin: { walletAddress: adminWallet, token, ...bearerCaller(base, token) },
    withToken: (each) => bearerCaller(base, each),
    nobody: callerWith(base, () => ({})),
    forger: signingCaller(base, holder.apiKey, newKeyPair().privateKey),
    providers: { KYC: providerCaller(base, 'KYC'), PAYMENT: providerCaller(base, 'PAYMENT') },
    sql,
  };
}

export interface StorefrontService {
  readonly service: TestApp;
  /** Returns how many signatures were verified on the curve so far. */
  countVerifications(): number;
  readonly owner: pg.Pool;
}

/** A service with one planet in its catalogue and no callers yet. */
export async function startStorefrontService(
  createFeed: (url: string) => ChangeFeed,
  parts: Partial<AppDependencies> | ((testDatabase: TestDatabase) => Partial<AppDependencies>) = {},
  { publicUrl = null }: { readonly publicUrl?: string | null } = {},
): Promise<StorefrontService> {
  const testDatabase = await createTestDatabase();
  const owner = new pg.Pool({
    connectionString: testDatabase.ownerUrl,
    options: '-c search_path=keyfront',
    max: 4,
  });
  // The database is dropped with the cluster, under the connections.
  owner.on('error', () => undefined);
  await owner.query(`INSERT INTO planets (number, name) VALUES (1, 'Verdane')`);
  const chosenParts = typeof parts === 'function' ? parts(testDatabase) : parts;
  await verifyInstallation(testDatabase.database, chosenParts.sandbox ?? false);
  const feed = createFeed(testDatabase.loginUrl);
  const { verifier, count: countVerifications } = createCountingVerifier();
  const authentication = createAuthentication({
    database: testDatabase.database,
    feed,
    tokens,
    limits: noLimits,
    adminWallets: [adminWallet],
    publicUrl,
    logger: { warn: () => undefined },
    verifier,
  });
  await feed.start();
  const service = await startTestAppOn(testDatabase, {
    guard: authentication.guard,
    tokens,
    marketplaceContract: testMarketplace.contract.toLowerCase(),
    ...chosenParts,
  });
  return { owner, service, countVerifications };
}

type Credentials = (payload: string | Buffer, request: RequestToBind) => Record<string, string>;

function bearerCaller(base: string, token: string): TestCaller {
  return callerWith(base, () => ({ authorization: `Bearer ${token}` }));
}

function providerCaller(base: string, provider: Provider): TestCaller {
  return callerWith(base, (payload) => signMessage(testSecrets[provider][0], payload));
}

function signingCaller(base: string, apiKey: string, privateKey: KeyObject): TestCaller {
  const sign = createSigner(privateKey);
  return callerWith(base, (payload) => ({ 'x-auth-apikey': apiKey, 'x-auth-signature': sign(payload) }));
}

function callerWith(base: string, credentials: Credentials): TestCaller {
  const prepare: TestCaller['prepare'] = (method, path, { body, headers = {}, signal } = {}) => {
    const content =
      body === undefined || typeof body === 'string' || Buffer.isBuffer(body) ? body : JSON.stringify(body);
    const query = path.split('?')[1];
    const request = {
      method,
      headers: {
        ...(content === undefined ? {} : { 'content-type': 'application/json' }),
        ...credentials(content ?? query ?? '{}', { method, url: base + path, body: content }),
        ...headers,
      },
      ...(content === undefined ? {} : { body: content }),
      ...(signal ? { signal } : {}),
    };
    return async () => toReply(await sendRequest(base + path, request));
  };
  return { prepare, ask: (...request) => prepare(...request)() };
}

function toReply({ status, headers, text }: ReceivedResponse): Reply {
  return {
    ...{ status, headers, text },
    get envelope() {
      return JSON.parse(text);
    },
  };
}

/** The issues of a 400; another response fails the test. */
export function issuesOf({ status, envelope }: Reply): unknown {
  const { data, ...rest } = envelope;
  expect(status).toBe(400);
  expect(rest).toEqual({
    success: false,
    statusCode: 400,
    code: 'VALIDATION_FAILED',
    message: 'Validation failed',
  });
  return data;
}

/** The `data` of a success; a failure fails the test with what it says. */
export function dataOf<Data>(reply: Reply): Data {
  if (reply.status >= 300) throw new Error(`${reply.status}: ${reply.text}`);
  return reply.envelope.data as Data;
}
