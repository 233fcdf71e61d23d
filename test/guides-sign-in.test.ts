import { readFileSync } from 'node:fs';
import type { Nonce } from '@keyfront/protocol';
import { MemoryCounter } from '@keyfront/rate-limiter';
import { proveKeyPossession } from '@keyfront/sdk';
import { generatePrivateKey, type PrivateKeyAccount, privateKeyToAccount } from 'viem/accounts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTokens } from '../packages/server/src/auth/tokens.ts';
import { createRateLimits } from '../packages/server/src/limits/rates/rate-limits.ts';
import { type GuardedApp, startGuardedApp } from './support/guarded-app.ts';
import { readCode, readDocument, readTables, toPattern } from './support/guide-programs.ts';
import { startTestApp, testSecret } from './support/test-app.ts';

const guide = readDocument('docs/guides/sign-in.md');

interface Reply {
  readonly status: number;
  /** The reason of a 401, the first issue of a 400, else the message. */
  readonly text: string;
  readonly message: string;
}

async function send(url: string, init: RequestInit): Promise<Reply> {
  const response = await fetch(url, init);
  const { message, data } = (await response.json()) as { message: string; data: unknown };
  const [, reason] = /error_description="(.*)"$/.exec(response.headers.get('www-authenticate') ?? '') ?? [];
  const text = reason ?? (Array.isArray(data) ? String(data[0]) : message);
  return { status: response.status, text, message };
}

function post(base: string, path: string, body: object, token?: string): Promise<Reply> {
  const authorization = token === undefined ? {} : { authorization: `Bearer ${token}` };
  const headers = { 'content-type': 'application/json', ...authorization };
  return send(base + path, { method: 'POST', headers, body: JSON.stringify(body) });
}

describe('the errors of the sign-in guide', () => {
  let service: GuardedApp;
  beforeAll(async () => {
    service = await startGuardedApp(
      undefined,
      createRateLimits({ counter: new MemoryCounter(), enabled: true }),
    );
  });
  afterAll(() => service.close());

  const stranger = privateKeyToAccount(generatePrivateKey());

  /** Both steps of a sign-in, with a message, signer or signature that can be made wrong. */
  async function signIn({
    wallet = service.ada,
    signer = wallet,
    base = service.base,
    type = 'dapp',
    change = (message: string) => message,
    signature,
  }: SignInMistake = {}): Promise<Reply> {
    const response = await fetch(`${base}/auth/nonce`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ walletAddress: wallet.address, type }),
    });
    const { data } = (await response.json()) as { data: Nonce };
    const message = change(data.message);
    const body = { message, signature: signature ?? (await signer.signMessage({ message })) };
    return post(base, '/auth/signIn', body);
  }

  interface SignInMistake {
    readonly wallet?: PrivateKeyAccount;
    readonly signer?: PrivateKeyAccount;
    readonly base?: string;
    readonly type?: string;
    readonly change?: (message: string) => string;
    readonly signature?: string;
  }

  async function signInWithoutNode(): Promise<Reply> {
    const withNode = await startTestApp({
      // Nothing listens there.
      signIn: { domain: null, uri: null, chainId: 1, rpcUrl: 'http://127.0.0.1:1', adminWallets: [] },
    });
    try {
      return await signIn({ base: `${withNode.origin}/api/v1`, signature: `0x${'00'.repeat(100)}` });
    } finally {
      await withNode.close();
    }
  }

  async function requestManyNonces(): Promise<Reply> {
    for (;;) {
      const reply = await post(service.base, '/auth/nonce', { walletAddress: stranger.address });
      if (reply.status !== 201) return reply;
    }
  }

  const get = (path: string, headers: Record<string, string>) => send(service.base + path, { headers });
  const getKeys = async (token: string) => get('/keys', { authorization: `Bearer ${token}` });

  async function createManyKeys(): Promise<Reply> {
    const token = await service.beginSession(service.ben);
    for (;;) {
      const reply = await post(service.base, '/keys', { keyName: 'One of many' }, token);
      if (reply.status !== 201) return reply;
    }
  }

  /** Each text of the tables with a request that it describes, in the order of the tables. */
  const mistakes: Readonly<Record<string, () => Promise<Reply>>> = {
    'walletAddress must have the capitals of its ERC-55 checksum, or be in one case': () => {
      const walletAddress = service.ada.address.replace(/[a-f](?=[^a-f]*$)/i, (letter) =>
        letter === letter.toLowerCase() ? letter.toUpperCase() : letter.toLowerCase(),
      );
      return post(service.base, '/auth/nonce', { walletAddress });
    },
    'domain must be one of the following values: …': () =>
      post(service.base, '/auth/nonce', { walletAddress: service.ada.address, domain: 'evil.example' }),
    'domain must be … for the type admin: administrators sign in only there': () =>
      post(service.base, '/auth/nonce', {
        ...{ walletAddress: service.admin.address, type: 'admin' },
        domain: 'store.example',
      }),
    'message must be an ERC-4361 message': () =>
      signIn({ change: (message) => message.replaceAll('\n', ' ') }),
    'the domain of the message must be …': () =>
      signIn({ change: (message) => message.replace(/^\S+/, 'shop.example') }),
    'the message has expired at …, and the time of the service is …: ask for a new nonce, or correct the clock that the message is from':
      () =>
        signIn({
          change: (message) => message.replace(/(Expiration Time: ).*/, '$12020-01-01T00:00:00.000Z'),
        }),
    'the message was issued in the future, at …, and the time of the service is …: correct the clock that the message is from':
      () => signIn({ change: (message) => message.replace(/(Issued At: ).*/, '$12999-01-01T00:00:00.000Z') }),
    'the nonce was used, has expired or is not for this wallet and type: ask for a new one': () =>
      signIn({ change: (message) => message.replace(/(Nonce: ).*/, `$1${'0'.repeat(32)}`) }),
    'the signature must be 0x and an even number of hexadecimal digits': () => signIn({ signature: 'none' }),
    'the signature does not match the address of the message': () => signIn({ signer: stranger }),
    'the signature must have 65 bytes: those of smart wallets are not accepted here': () =>
      signIn({ signature: `0x${'00'.repeat(100)}` }),
    'the signature could not be verified on the chain: try again later': signInWithoutNode,
    'The wallet owns no digital key': () => signIn({ wallet: stranger }),
    'The wallet is not that of an administrator': () => signIn({ type: 'admin' }),
    'Too many requests: try again after …': requestManyNonces,
    'the authorization header is missing': () => get('/keys', {}),
    'the authorization header must have the form Bearer <token>': () =>
      get('/keys', { authorization: 'Basic YTpi' }),
    'the token has expired: sign in again': async () => {
      const yesterday = () => new Date(Date.now() - 2 * 86_400_000);
      const old = createTokens({ secret: testSecret, previousSecret: null, now: yesterday });
      return getKeys(await service.beginSession(service.ada, old));
    },
    'the token was not signed by this service, or was modified: sign in again': async () => {
      const other = createTokens({ secret: `${testSecret} of another`, previousSecret: null });
      return getKeys(await service.beginSession(service.ada, other));
    },
    'the session of the token has ended: sign in again': async () => {
      const token = await service.beginSession(service.ada);
      await service.call(token, 'POST', '/auth/signOut');
      return getKeys(token);
    },
    'This is for administrators': async () =>
      get('/admin/clients', { authorization: `Bearer ${await service.beginSession(service.ada)}` }),
    'A holder has at most 100 live keys: revoke one first': createManyKeys,
    'proof.issuedAt is more than five minutes from the time of the service': () =>
      registerKey({ issuedAt: new Date(Date.now() - 301_000) }),
    'proof.signature is not that of the public key over the text for this wallet, public key and time': () =>
      registerKey({ walletAddress: service.ben.address }),
    'This public key cannot be registered: create a new one': () => registerKey(),
  };

  /** Registers the public key of the service's API key for the first holder. */
  async function registerKey(proven: { walletAddress?: string; issuedAt?: Date } = {}) {
    const own = await proveKeyPossession({
      walletAddress: service.ada.address,
      publicKey: service.key.apiKey,
      key: readFileSync(service.key.file),
      ...proven,
    });
    return post(service.base, '/keys', { keyName: 'Again', ...own }, await service.beginSession(service.ada));
  }

  const rows = readTables(guide, 'Errors').flat();
  const texts = rows.flatMap(([, text = '']) => readCode(text));

  it('are each tested here', () => {
    expect(texts).toEqual(Object.keys(mistakes));
  });

  it.each(rows)('are sent by the service: %s %s', { timeout: 60_000 }, async (status, cell = '') => {
    const [text = ''] = readCode(cell);
    const reply = await mistakes[text]?.();
    expect([reply?.status, reply?.text]).toEqual([Number(status), expect.stringMatching(toPattern(text))]);
    if (reply?.status === 401) expect(reply.message).toBe('Unauthorized');
  });

  it('have another message where an API key is accepted too', async () => {
    const reply = await get('/planets', { authorization: 'Bearer none' });
    expect([reply.status, reply.message]).toEqual([401, 'User is not authorized']);
  });
});
