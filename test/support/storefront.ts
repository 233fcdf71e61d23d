import { generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto';
import type pg from 'pg';
import { createTokens } from '../../packages/server/src/http/tokens.ts';
import { createIdentity } from '../../packages/server/src/process/identity.ts';
import { noLimits, startTestAppOn, type TestApp, testSecret } from './test-app.ts';
import { createTestDatabase, runSql } from './test-database.ts';

/** What came back. */
export interface Reply {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  /** The whole envelope. */
  readonly envelope: { success: boolean; statusCode: number; message: string; data: unknown };
}

export interface Ask {
  readonly body?: unknown;
  readonly headers?: Record<string, string>;
}

/** Somebody who calls the service, with credentials or without. */
export interface TestCaller {
  /** Relative to the version prefix, query included. A body is sent as JSON; a string or bytes as they are. */
  ask(method: string, path: string, ask?: Ask): Promise<Reply>;
}

export interface TestHolder extends TestCaller {
  readonly holderId: string;
  readonly tokenId: number;
  readonly walletAddress: string;
  /** The same holder with a JWT in place of a signature. */
  readonly signedIn: TestCaller;
}

/** A service with its real guard, and callers that no other test knows. */
export interface Storefront {
  readonly service: TestApp;
  readonly holder: TestHolder;
  /** Has a digital key of his own. */
  readonly stranger: TestHolder;
  /** Has another digital key of the same wallet as `holder`. */
  readonly sibling: TestHolder;
  readonly admin: TestCaller & { readonly walletAddress: string };
  /** Comes without credentials. */
  readonly nobody: TestCaller;
  /** Comes with the key of `holder` and a signature of another one. */
  readonly forger: TestCaller;
  /** As the owner of the database, with the schema on the search path. */
  sql<Row extends pg.QueryResultRow>(text: string, values?: unknown[]): Promise<Row[]>;
}

const tokens = createTokens({ secret: testSecret, previousSecret: null });
const adminWallet = `0x${'ad'.repeat(20)}`;

let shared: Promise<TestApp> | undefined;
let lastTokenId = 0;

/** Callers of their own on a service that all test files of a worker share. */
export async function openStorefront(): Promise<Storefront> {
  shared ??= startSharedService();
  const service = await shared;
  const base = `${service.origin}/api/v1`;
  const sql = <Row extends pg.QueryResultRow>(text: string, values: unknown[] = []) =>
    runSql<Row>(`${service.ownerUrl}&options=-c%20search_path%3Dkeyfront`, text, values);

  const addHolder = async (walletAddress: string): Promise<TestHolder & { forger: TestCaller }> => {
    const tokenId = ++lastTokenId;
    const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'secp256k1' });
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
    await sql('UPDATE holders SET primary_token_id = $2 WHERE id = $1', [holderId, tokenId]);
    const apiKey = Buffer.from(publicKey.export({ type: 'spki', format: 'pem' })).toString('base64');
    const { token } = await tokens.issue({ walletAddress, role: 'holder' });
    return {
      holderId,
      tokenId,
      walletAddress,
      ...signingCaller(base, apiKey, privateKey),
      signedIn: bearerCaller(base, token),
      forger: signingCaller(base, apiKey, generateKeyPairSync('ec', { namedCurve: 'secp256k1' }).privateKey),
    };
  };

  const [first, second] = [newWallet(), newWallet()];
  // The holder's own token comes last, so that it is the primary one.
  const sibling = await addHolder(first);
  const holder = await addHolder(first);
  const { token } = await tokens.issue({ walletAddress: adminWallet, role: 'administrator' });
  return {
    service,
    holder,
    stranger: await addHolder(second),
    sibling,
    admin: { walletAddress: adminWallet, ...bearerCaller(base, token) },
    nobody: { ask: (method, path, ask) => send(base, method, path, ask, () => ({})) },
    forger: holder.forger,
    sql,
  };
}

async function startSharedService(): Promise<TestApp> {
  const testDatabase = await createTestDatabase();
  await runSql(testDatabase.ownerUrl, `INSERT INTO keyfront.planets (number, name) VALUES (1, 'Verdane')`);
  const identity = await createIdentity({
    database: testDatabase.database,
    databaseUrl: testDatabase.loginUrl,
    tokens,
    limits: noLimits,
    adminWallets: [adminWallet],
    logger: { warn: () => undefined },
  });
  return startTestAppOn(testDatabase, { guard: identity.guard, tokens });
}

function newWallet(): string {
  return `0x${randomBytes(20).toString('hex')}`;
}

function bearerCaller(base: string, token: string): TestCaller {
  return {
    ask: (method, path, ask) => send(base, method, path, ask, () => ({ authorization: `Bearer ${token}` })),
  };
}

function signingCaller(base: string, apiKey: string, privateKey: KeyObject): TestCaller {
  const signPayload = (payload: string | Buffer) => ({
    'x-auth-apikey': apiKey,
    'x-auth-signature': sign('sha256', Buffer.from(payload), privateKey).toString('base64'),
  });
  return { ask: (method, path, ask) => send(base, method, path, ask, signPayload) };
}

async function send(
  base: string,
  method: string,
  path: string,
  { body, headers = {} }: Ask = {},
  credentials: (payload: string | Buffer) => Record<string, string>,
): Promise<Reply> {
  const content =
    body === undefined || typeof body === 'string' || Buffer.isBuffer(body) ? body : JSON.stringify(body);
  const query = path.split('?')[1];
  const response = await fetch(base + path, {
    method,
    headers: {
      ...(content === undefined ? {} : { 'content-type': 'application/json' }),
      ...credentials(content ?? query ?? '{}'),
      ...headers,
    },
    ...(content === undefined ? {} : { body: content }),
  });
  const text = await response.text();
  return {
    status: response.status,
    headers: response.headers,
    text,
    get envelope() {
      return JSON.parse(text);
    },
  };
}

/** The `data` of a success; a failure fails the test with what it says. */
export function dataOf<Data>(reply: Reply): Data {
  if (reply.status >= 300) throw new Error(`${reply.status}: ${reply.text}`);
  return reply.envelope.data as Data;
}
