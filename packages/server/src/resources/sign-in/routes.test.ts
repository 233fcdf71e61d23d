import { createServer, type Server } from 'node:http';
import { text } from 'node:stream/consumers';
import type { Nonce, SignIn } from '@keyfront/protocol';
import { getAddress } from 'viem';
import { generatePrivateKey, type PrivateKeyAccount, privateKeyToAccount } from 'viem/accounts';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { startTestApp, type TestApp } from '../../../../../test/support/test-app.ts';
import { runSql } from '../../../../../test/support/test-database.ts';
import type { AppParts } from '../../app.ts';
import { createTokens } from '../../auth/tokens.ts';
import { parseMessage } from './sign-in-message.ts';

const administrator = privateKeyToAccount(generatePrivateKey());
const tokens = createTokens({ secret: 'the secret of these tests, long enough', previousSecret: null });
const nonceRefused = 'the nonce was used, has expired or is not for this wallet and type: ask for a new one';

let service: TestApp;

async function startService(settings: Partial<AppParts['signIn']> = {}): Promise<TestApp> {
  const started = await startTestApp({
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
  await sql(`INSERT INTO keyfront.planets (number, name) VALUES (1, 'Verdane')`, [], started);
  return started;
}

beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.close());

const sql = <Row extends object>(text: string, values: unknown[] = [], { ownerUrl } = service) =>
  runSql<Row & Record<string, unknown>>(ownerUrl, text, values);

let lastTokenId = 100;
/** A wallet with so many digital keys, none of them primary. */
async function makeHolder(
  keyCount = 1,
  at = service,
): Promise<{ account: PrivateKeyAccount; tokenIds: number[] }> {
  const account = privateKeyToAccount(generatePrivateKey());
  const wallet = account.address.toLowerCase();
  const tokenIds = Array.from({ length: keyCount }, () => ++lastTokenId);
  await sql('INSERT INTO keyfront.holders (wallet_address) VALUES ($1)', [wallet], at);
  await sql(
    `INSERT INTO keyfront.digital_keys (token_id, holder_id, planet_id)
     SELECT unnest($2::int[]), holders.id, planets.id FROM keyfront.holders, keyfront.planets WHERE wallet_address = $1`,
    [wallet, tokenIds.toReversed()],
    at,
  );
  return { account, tokenIds };
}

const findHolder = async ({ address }: { address: string }) => {
  const [row] = await sql<{ email: string | null; primary: string | null }>(
    'SELECT email, primary_token_id AS primary FROM keyfront.holders WHERE wallet_address = $1',
    [address.toLowerCase()],
  );
  return row;
};

const sessionsOf = ({ address }: { address: string }, at = service) =>
  sql<{ id: string; domain: string }>(
    'SELECT id, domain FROM keyfront.sessions WHERE wallet_address = $1',
    [address.toLowerCase()],
    at,
  );

/** Another spelling of the same signature, with another last byte. It is valid as well. */
const resign = (signature: string) => signature.slice(0, -2) + (signature.endsWith('1b') ? '00' : '01');

interface Answer {
  readonly status: number;
  readonly reason: string | null;
  readonly body: { message: string; data: unknown };
}

async function post(path: string, body: unknown, origin = service.origin): Promise<Answer> {
  const response = await fetch(`${origin}/api/v1/auth/${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  const challenge = response.headers.get('www-authenticate');
  return {
    status: response.status,
    reason: challenge && (/error_description="(.*)"$/.exec(challenge)?.[1] ?? ''),
    body: (await response.json()) as Answer['body'],
  };
}

async function askNonce(body: object, origin?: string): Promise<Nonce> {
  const answer = await post('nonce', body, origin);
  expect(answer.status).toBe(201);
  return answer.body.data as Nonce;
}

/** Asks for a nonce, signs, and hands in; what is signed may be changed before. */
async function signInAs(
  account: PrivateKeyAccount,
  { change = (message: string) => message, signer = account, ...request }: SignInChanges = {},
): Promise<Answer> {
  const { message } = await askNonce({ walletAddress: account.address, ...request });
  const changed = change(message);
  return post('signIn', { message: changed, signature: await signer.signMessage({ message: changed }) });
}

interface SignInChanges {
  readonly change?: (message: string) => string;
  readonly signer?: PrivateKeyAccount;
  readonly email?: string;
  readonly type?: string;
}

function expectRefused(answer: Answer, reason: string): void {
  expect(answer).toEqual({
    status: 401,
    reason,
    body: { success: false, statusCode: 401, code: 'SIGN_IN_FAILED', message: 'Unauthorized', data: null },
  });
}

describe('POST /auth/nonce', () => {
  const { address } = privateKeyToAccount(generatePrivateKey());

  it('returns a message that says what this service asks for, for five minutes', async () => {
    const { nonce, message, expiresAt } = await askNonce({ walletAddress: address });
    expect(nonce).toMatch(/^[0-9a-z]{32}$/i);
    const lifetime = new Date(expiresAt).getTime() - Date.now();
    expect(lifetime).toBeGreaterThan(290_000);
    expect(lifetime).toBeLessThanOrEqual(301_000);
    expect(parseMessage(message)).toEqual({
      scheme: null,
      domain: 'shop.example',
      address,
      statement: expect.stringMatching(/^Sign in to Keyfront/),
      uri: 'https://shop.example/api/v1',
      version: '1',
      chainId: 1,
      nonce,
      issuedAt: new Date(new Date(expiresAt).getTime() - 300_000).toISOString(),
      expirationTime: expiresAt,
      notBefore: null,
      requestId: null,
      resources: ['urn:keyfront:type:dapp'],
    });
  });

  it('returns each its own nonce, and keeps none of them in the clear', async () => {
    const nonces = await Promise.all(Array.from({ length: 20 }, () => askNonce({ walletAddress: address })));
    expect(new Set(nonces.map(({ nonce }) => nonce)).size).toBe(20);
    const rows = await sql<{ row: string }>(
      'SELECT sign_in_nonces::text AS row FROM keyfront.sign_in_nonces',
    );
    const stored = rows.map(({ row }) => row).join();
    const asHex = (nonce: string) => Buffer.from(nonce).toString('hex');
    for (const { nonce } of nonces) {
      expect(stored).not.toContain(nonce);
      expect(stored).not.toContain(asHex(nonce));
    }
  });

  it('takes a wallet with its checksum or in one case, and means the same', async () => {
    const upper = `0x${address.slice(2).toUpperCase()}`;
    for (const walletAddress of [address, address.toLowerCase(), upper]) {
      const { message } = await askNonce({ walletAddress });
      expect(message.split('\n')[1]).toBe(address);
    }
  });

  it('says all that is wrong with a request', async () => {
    const refuse = async (body: unknown) => {
      const answer = await post('nonce', body);
      expect(answer).toMatchObject({ status: 400, body: { message: 'Validation failed' } });
      return answer.body.data;
    };
    const form = 'walletAddress must be an Ethereum address';
    const typeForm = 'type must consist of 1 to 32 letters, digits, hyphens or underscores';
    expect(await refuse({})).toEqual(['walletAddress is required']);
    expect(await refuse([])).toEqual(['body must be an object']);
    expect(await refuse({ walletAddress: 7 })).toEqual(['walletAddress must be a string']);
    expect(await refuse({ walletAddress: '', email: '', type: '' })).toEqual([
      'walletAddress should not be empty',
      'email should not be empty',
      'type should not be empty',
    ]);
    for (const walletAddress of [
      address.slice(2),
      `${address}0`,
      address.slice(0, -1),
      ` ${address}`,
      `${address}\n`,
    ]) {
      expect(await refuse({ walletAddress })).toEqual([form]);
    }
    for (const email of ['ada', 'ada@', '@example.org', 'ada@example', 'a b@example.org']) {
      expect(await refuse({ walletAddress: address, email })).toEqual(['email must be an email']);
    }
    expect(await refuse({ walletAddress: address, email: null })).toEqual(['email must be a string']);
    expect(await refuse({ walletAddress: address, email: `${'a'.repeat(250)}@example.org` })).toContain(
      'email must be shorter than or equal to 254 characters',
    );
    for (const type of ['a b', 'x'.repeat(33), 'dapp\n', 'ä']) {
      expect(await refuse({ walletAddress: address, type })).toEqual([typeForm]);
    }
  });

  it('rejects a wallet whose capitals are not those of its checksum: it was mistyped', async () => {
    const at = [...address].findIndex((letter, index) => index > 1 && /[a-f]/i.test(letter));
    const letter = address.charAt(at);
    const other = letter === letter.toLowerCase() ? letter.toUpperCase() : letter.toLowerCase();
    const mistyped = address.slice(0, at) + other + address.slice(at + 1);
    expect(await post('nonce', { walletAddress: mistyped })).toMatchObject({
      status: 400,
      body: { data: ['walletAddress must have the capitals of its ERC-55 checksum, or be in one case'] },
    });
  });

  it('responds alike for known and unknown wallets', async () => {
    const { account } = await makeHolder();
    const shape = async (walletAddress: string) => {
      const { message } = await askNonce({ walletAddress });
      return message
        .replace(getAddress(walletAddress), 'wallet')
        .replaceAll(/(Nonce|Issued At|Expiration Time): .*/g, '$1');
    };
    expect(await shape(account.address)).toBe(await shape(address));
  });
});

describe('POST /auth/signIn', () => {
  it('returns the holder a token', async () => {
    const { account, tokenIds } = await makeHolder();
    const answer = await signInAs(account);
    expect(answer.status).toBe(201);
    const { token, expiresAt, holder } = answer.body.data as SignIn;
    expect(holder).toEqual({
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      walletAddress: account.address,
      email: null,
      primaryTokenId: tokenIds[0],
      tokenIds,
    });
    expect(await tokens.verify(token)).toEqual({
      ok: true,
      claims: {
        walletAddress: account.address.toLowerCase(),
        role: 'holder',
        sessionId: expect.stringMatching(/^[0-9a-f-]{36}$/),
      },
    });
    const lifetime = new Date(expiresAt).getTime() - Date.now();
    expect(lifetime).toBeGreaterThan(86_390_000);
    expect(lifetime).toBeLessThanOrEqual(86_401_000);
  });

  it('makes the lowest token id the primary one, and leaves a primary one as it is', async () => {
    const { account, tokenIds } = await makeHolder(3);
    const [first, second] = tokenIds;
    expect((await signInAs(account)).body.data).toMatchObject({
      holder: { primaryTokenId: first, tokenIds },
    });
    expect(await findHolder(account)).toMatchObject({ primary: String(first) });
    await sql('UPDATE keyfront.holders SET primary_token_id = $2 WHERE wallet_address = $1', [
      account.address.toLowerCase(),
      second,
    ]);
    expect((await signInAs(account)).body.data).toMatchObject({
      holder: { primaryTokenId: second, tokenIds },
    });
  });

  it('takes a message of the caller’s own with the nonce, without the type where it is the usual one', async () => {
    const { account } = await makeHolder();
    const change = (message: string) =>
      message
        .replace('Sign in to Keyfront. This sends no transaction and costs nothing.', 'Welcome back')
        .replace(/\nExpiration Time[\s\S]*/, '');
    expect((await signInAs(account, { change })).status).toBe(201);
  });

  it('begins one session per nonce for concurrent requests', async () => {
    const { account } = await makeHolder();
    const { message } = await askNonce({ walletAddress: account.address });
    const body = { message, signature: await account.signMessage({ message }) };
    const other = { message, signature: resign(body.signature) };
    const answers = await Promise.all(
      Array.from({ length: 50 }, (_, index) => post('signIn', index % 2 === 0 ? body : other)),
    );
    const [first, ...others] = answers.filter(({ status }) => status === 201);
    expect(others.length).toBe(24);
    for (const answer of others) expect(answer).toEqual(first);
    for (const answer of answers.filter(({ status }) => status !== 201)) expectRefused(answer, nonceRefused);
    expect(await sessionsOf(account)).toHaveLength(1);
  });

  it('rejects an expired nonce', async () => {
    const { account } = await makeHolder();
    const { message } = await askNonce({ walletAddress: account.address });
    await sql('UPDATE keyfront.sign_in_nonces SET expires_at = now() WHERE wallet_address = $1', [
      account.address.toLowerCase(),
    ]);
    expectRefused(
      await post('signIn', { message, signature: await account.signMessage({ message }) }),
      nonceRefused,
    );
  });

  it('rejects a message that is not meant for this service, and says what it should say', async () => {
    const { account } = await makeHolder();
    const replace = (part: string | RegExp, by: string) => ({
      change: (text: string) => text.replace(part, by),
    });
    for (const [change, reason] of [
      [replace('shop.example', 'evil.example'), 'the domain of the message must be shop.example'],
      [
        replace('URI: https://shop', 'URI: https://evil'),
        'the URI of the message must be https://shop.example/api/v1',
      ],
      [replace('Chain ID: 1', 'Chain ID: 5'), 'the chain id of the message must be 1'],
      [
        replace(/Expiration Time: .*/, 'Expiration Time: 2020-01-01T00:00:00Z'),
        'the message has expired: ask for a new nonce',
      ],
      [
        replace('\nResources', '\nNot Before: 2999-01-01T00:00:00Z\nResources'),
        'the message is not valid yet: its time Not Before lies ahead',
      ],
      [replace(/Nonce: .*/, `Nonce: ${'0'.repeat(32)}`), nonceRefused],
      [replace('type:dapp', 'type:admin'), nonceRefused],
      [replace('type:dapp', 'type:other'), nonceRefused],
      [replace(/$/, '\n- urn:keyfront:type:admin'), 'the message must name one type to sign in for'],
    ] as const) {
      expectRefused(await signInAs(account, change), reason);
    }
  });

  it('rejects a message that was changed after it was signed', async () => {
    const { account } = await makeHolder();
    const { message } = await askNonce({ walletAddress: account.address });
    const signature = await account.signMessage({ message });
    const changed = message.replace('costs nothing', 'costs little');
    expectRefused(
      await post('signIn', { message: changed, signature }),
      'the signature does not match the address of the message',
    );
  });

  it('does not let others consume a nonce', async () => {
    const { account } = await makeHolder();
    const { account: stranger } = await makeHolder();
    const { message } = await askNonce({ walletAddress: account.address });
    const mismatch = 'the signature does not match the address of the message';
    const signature = await stranger.signMessage({ message });
    expectRefused(await post('signIn', { message, signature }), mismatch);
    expectRefused(await post('signIn', { message, signature: `0x${'11'.repeat(65)}` }), mismatch);
    expectRefused(
      await post('signIn', { message, signature: 'garbage' }),
      'the signature must be 0x and an even number of hexadecimal digits',
    );
    expectRefused(
      await post('signIn', { message, signature: '0x1234' }),
      'the signature must have 65 bytes: those of smart wallets are not accepted here',
    );
    const own = message.replace(account.address, stranger.address);
    expectRefused(
      await post('signIn', { message: own, signature: await stranger.signMessage({ message: own }) }),
      nonceRefused,
    );
    const rightful = { message, signature: await account.signMessage({ message }) };
    expect((await post('signIn', rightful)).status).toBe(201);
  });

  it('does not reveal whether a wallet is known', async () => {
    const { account } = await makeHolder();
    const unknown = privateKeyToAccount(generatePrivateKey());
    const stranger = privateKeyToAccount(generatePrivateKey());
    expect(await signInAs(unknown, { signer: stranger })).toEqual(
      await signInAs(account, { signer: stranger }),
    );
    expect(await signInAs(unknown, { signer: stranger, type: 'admin' })).toEqual(
      await signInAs(administrator, { signer: stranger, type: 'admin' }),
    );
  });

  it('returns 403 to a wallet that owns no digital key, and uses its nonce up', async () => {
    const unknown = privateKeyToAccount(generatePrivateKey());
    const { message } = await askNonce({ walletAddress: unknown.address });
    const body = { message, signature: await unknown.signMessage({ message }) };
    expect(await post('signIn', body)).toEqual({
      status: 403,
      reason: null,
      body: {
        success: false,
        statusCode: 403,
        code: 'DIGITAL_KEY_REQUIRED',
        message: 'The wallet owns no digital key',
        data: null,
      },
    });
    expectRefused(await post('signIn', body), nonceRefused);
    const { account } = await makeHolder(0);
    expect((await signInAs(account, { email: 'ada@example.org' })).status).toBe(403);
    expect(await findHolder(account)).toMatchObject({ email: null, primary: null });
  });

  it('attaches the e-mail when the wallet has proved itself, and not before', async () => {
    const { account } = await makeHolder();
    const email = 'ada@example.org';
    await askNonce({ walletAddress: account.address, email: 'mallory@example.org' });
    expect((await findHolder(account))?.email).toBeNull();
    const stranger = privateKeyToAccount(generatePrivateKey());
    expect((await signInAs(account, { email: 'mallory@example.org', signer: stranger })).status).toBe(401);
    expect((await findHolder(account))?.email).toBeNull();
    expect((await signInAs(account, { email })).body.data).toMatchObject({ holder: { email } });
    expect((await findHolder(account))?.email).toBe(email);
    expect((await signInAs(account)).body.data).toMatchObject({ holder: { email } });
    expect((await signInAs(account, { email: 'new@example.org' })).status).toBe(201);
    expect((await findHolder(account))?.email).toBe('new@example.org');
  });

  it('says what is wrong with a body', async () => {
    const refuse = async (body: object) => {
      const answer = await post('signIn', body);
      expect(answer).toMatchObject({ status: 400, reason: null, body: { message: 'Validation failed' } });
      return answer.body.data;
    };
    expect(await refuse({})).toEqual(['message is required', 'signature is required']);
    expect(await refuse({ message: 1, signature: null })).toEqual([
      'message must be a string',
      'signature must be a string',
    ]);
    expect(await refuse({ message: 'Hello', signature: '0x' })).toEqual([
      'message must be an ERC-4361 message',
    ]);
    expect(await refuse({ message: 'x'.repeat(2049), signature: 'x'.repeat(16_387) })).toEqual([
      'message must be shorter than or equal to 2048 characters',
      'signature must be shorter than or equal to 16386 characters',
    ]);
  });

  it('keeps e-mails, messages and signatures out of the log, and the wallet in its security lines', async () => {
    const { account } = await makeHolder();
    service.logLines.length = 0;
    await signInAs(account, { email: 'ada@example.org' });
    await signInAs(account, { signer: administrator });
    const log = service.logLines.join('').toLowerCase();
    expect(log).toContain('/auth/signin');
    expect(log).not.toContain('ada@example.org');
    expect(log).not.toMatch(/nonce:|0x[0-9a-f]{64}/);
    const wallet = account.address.toLowerCase();
    const lines = service.logLines.filter((line) => line.includes(wallet)).map((line) => JSON.parse(line));
    expect(lines[0]).toMatchObject({ event: 'sign_in.succeeded', wallet });
    // The failed sign-in is left out if the tests before have caused too many.
    for (const line of lines.slice(1))
      expect(line).toMatchObject({ event: 'auth.failed', claimedWallet: wallet });
  });
});

describe('a sign-in whose response was lost', () => {
  async function signInOnce(request: { type?: string; account?: PrivateKeyAccount } = {}) {
    const { account = (await makeHolder()).account, type = 'dapp' } = request;
    const { message } = await askNonce({ walletAddress: account.address, type });
    const body = { message, signature: await account.signMessage({ message }) };
    return { account, body, answer: await post('signIn', body) };
  }

  it('gives the same token to the same request', async () => {
    const { account, body, answer } = await signInOnce();
    expect(answer.status).toBe(201);
    expect(await post('signIn', body)).toEqual(answer);
    expect(await sessionsOf(account)).toHaveLength(1);
  });

  it('is refused to another signature of the same message', async () => {
    const { body } = await signInOnce();
    const signature = resign(body.signature);
    expectRefused(await post('signIn', { ...body, signature }), nonceRefused);
    expectRefused(await post('signIn', { ...body, signature: `0x${'11'.repeat(65)}` }), nonceRefused);
  });

  it('is refused when the nonce would have expired', async () => {
    const { account, body } = await signInOnce();
    await sql('UPDATE keyfront.sessions SET repeatable_until = now() WHERE wallet_address = $1', [
      account.address.toLowerCase(),
    ]);
    expectRefused(await post('signIn', body), nonceRefused);
  });

  it('is refused when the session was ended', async () => {
    const { account, body } = await signInOnce();
    await sql('UPDATE keyfront.sessions SET expires_at = now() WHERE wallet_address = $1', [
      account.address.toLowerCase(),
    ]);
    expectRefused(await post('signIn', body), nonceRefused);
    expect(await sessionsOf(account)).toHaveLength(1);
  });

  it('is refused when the wallet has lost its digital keys', async () => {
    const { account, body } = await signInOnce();
    const { account: buyer } = await makeHolder();
    await sql(`UPDATE keyfront.holders SET primary_token_id = NULL WHERE wallet_address = $1`, [
      account.address.toLowerCase(),
    ]);
    await sql(
      `UPDATE keyfront.digital_keys SET holder_id = buyers.id FROM keyfront.holders, keyfront.holders AS buyers
       WHERE holders.id = holder_id AND holders.wallet_address = $1 AND buyers.wallet_address = $2`,
      [account.address.toLowerCase(), buyer.address.toLowerCase()],
    );
    expect(await post('signIn', body)).toMatchObject({
      status: 403,
      body: { code: 'DIGITAL_KEY_REQUIRED' },
    });
  });

  it('gives an administrator the same token', async () => {
    const { body, answer } = await signInOnce({ account: administrator, type: 'admin' });
    expect(answer.status).toBe(201);
    expect(await post('signIn', body)).toEqual(answer);
  });
});

describe('signing in on the domain of a storefront', () => {
  let allowing: TestApp;
  beforeAll(async () => {
    allowing = await startService({ otherDomains: ['store.example', 'localhost:5173'] });
  });
  afterAll(() => allowing.close());

  const handIn = async (account: PrivateKeyAccount, message: string) =>
    post('signIn', { message, signature: await account.signMessage({ message }) }, allowing.origin);

  it.each([
    ['store.example', 'https://store.example'],
    ['localhost:5173', 'http://localhost:5173'],
    ['shop.example', 'https://shop.example/api/v1'],
  ])('puts %s and its URI into the message', async (domain, uri) => {
    const { account } = await makeHolder(1, allowing);
    const { message } = await askNonce({ walletAddress: account.address, domain }, allowing.origin);
    expect(parseMessage(message)).toMatchObject({ domain, uri });
    expect((await handIn(account, message)).status).toBe(201);
    expect(await sessionsOf(account, allowing)).toMatchObject([{ domain }]);
  });

  it('is the domain of the service if the request names none', async () => {
    const { message } = await askNonce({ walletAddress: administrator.address }, allowing.origin);
    expect(parseMessage(message)).toMatchObject({ domain: 'shop.example' });
  });

  it.each([
    'evil.example',
    'STORE.example',
    'store.example.evil.example',
    'store.example:443',
    ' store.example',
  ])('refuses the domain %j', async (domain) => {
    const request = { walletAddress: administrator.address, domain };
    expect((await post('nonce', request, allowing.origin)).body).toMatchObject({
      statusCode: 400,
      data: ['domain must be one of the following values: shop.example, store.example, localhost:5173'],
    });
  });

  it('binds a nonce to the domain that it was requested for', async () => {
    const { account } = await makeHolder(1, allowing);
    const swap = async (requested: string, signed: string, uri: string) => {
      const { message } = await askNonce(
        { walletAddress: account.address, domain: requested },
        allowing.origin,
      );
      const changed = message.replace(requested, signed).replace(/URI: .*/, `URI: ${uri}`);
      return handIn(account, changed);
    };
    expectRefused(await swap('store.example', 'shop.example', 'https://shop.example/api/v1'), nonceRefused);
    expectRefused(await swap('shop.example', 'store.example', 'https://store.example'), nonceRefused);
    expectRefused(await swap('store.example', 'localhost:5173', 'http://localhost:5173'), nonceRefused);
    expectRefused(
      await swap('store.example', 'store.example', 'https://shop.example/api/v1'),
      'the URI of the message must be https://store.example',
    );
    expectRefused(
      await swap('store.example', 'evil.example', 'https://evil.example'),
      'the domain of the message must be shop.example or store.example or localhost:5173',
    );
  });
});

describe('signing in as an administrator', () => {
  it('is for the wallets of the configuration, holders or not', async () => {
    const answer = await signInAs(administrator, { type: 'admin' });
    expect(answer).toMatchObject({ status: 201, body: { data: { holder: null } } });
    const claims = {
      walletAddress: administrator.address.toLowerCase(),
      role: 'administrator',
      sessionId: expect.any(String),
    };
    expect(await tokens.verify((answer.body.data as SignIn).token)).toEqual({ ok: true, claims });
  });

  it('is rejected to a holder, whose nonce is used up and whose e-mail stays', async () => {
    const { account } = await makeHolder();
    const { message } = await askNonce({
      walletAddress: account.address,
      type: 'admin',
      email: 'ada@example.org',
    });
    const body = { message, signature: await account.signMessage({ message }) };
    expect(await post('signIn', body)).toMatchObject({
      status: 403,
      body: { message: 'The wallet is not that of an administrator' },
    });
    expectRefused(await post('signIn', body), nonceRefused);
    expect((await findHolder(account))?.email).toBeNull();
  });

  it('is asked for by name only: an administrator with another type is a holder, or nothing', async () => {
    expect((await signInAs(administrator)).status).toBe(403);
    expect((await signInAs(administrator, { type: 'Admin' })).status).toBe(403);
  });

  it('is not reached with the nonce of another type', async () => {
    const change = (message: string) => message.replace('type:dapp', 'type:admin');
    expectRefused(await signInAs(administrator, { change }), nonceRefused);
    const without = (message: string) => message.replace(/\nResources[\s\S]*/, '');
    expectRefused(await signInAs(administrator, { type: 'admin', change: without }), nonceRefused);
  });
});

describe('signing in with a smart wallet', () => {
  let smart: TestApp;
  let node: Server;
  /** What the node, which is not ours, says of a signature. */
  let verdict: string | null;
  let callCount = 0;
  const failures: unknown[] = [];

  beforeAll(async () => {
    node = createServer(async (request, response) => {
      const { method } = JSON.parse(await text(request));
      callCount++;
      if (verdict === null) response.writeHead(502).end('<h1>Bad gateway</h1>');
      else
        response.end(
          JSON.stringify({ id: 1, jsonrpc: '2.0', result: method === 'eth_call' ? verdict : '0x1' }),
        );
    });
    await new Promise<void>((resolve) => node.listen(0, '127.0.0.1', resolve));
    const address = node.address();
    if (address === null || typeof address === 'string') throw new Error('The stand-in does not listen');
    smart = await startService({
      rpcUrl: `http://127.0.0.1:${address.port}/`,
      onRpcFailure: (error) => failures.push(error),
    });
  });
  afterAll(async () => {
    await smart.close();
    node.closeAllConnections();
    node.close();
  });
  beforeEach(() => {
    callCount = 0;
    failures.length = 0;
  });

  const handIn = async (account: PrivateKeyAccount) => {
    const { message } = await askNonce({ walletAddress: account.address }, smart.origin);
    return { message, signature: `0x${'ab'.repeat(96)}` };
  };

  it('begins one session where the chain says so', async () => {
    const { account } = await makeHolder(1, smart);
    verdict = '0x01';
    const body = await handIn(account);
    const answers = await Promise.all(Array.from({ length: 10 }, () => post('signIn', body, smart.origin)));
    expect(new Set(answers.map(({ body }) => (body.data as SignIn).token)).size).toBe(1);
    expect(await sessionsOf(account, smart)).toHaveLength(1);
    const callsBefore = callCount;
    expect(await post('signIn', body, smart.origin)).toEqual(answers[0]);
    expect(callCount).toBe(callsBefore);
  });

  it('is rejected where the chain says no or nothing, and the nonce stays good', async () => {
    const { account } = await makeHolder(1, smart);
    const body = await handIn(account);
    verdict = '0x00';
    const mismatch = 'the signature does not match the address of the message';
    expectRefused(await post('signIn', body, smart.origin), mismatch);
    expect(failures).toEqual([]);
    verdict = null;
    expectRefused(
      await post('signIn', body, smart.origin),
      'the signature could not be verified on the chain: try again later',
    );
    expect(failures).toHaveLength(1);
    verdict = '0x01';
    expect((await post('signIn', body, smart.origin)).status).toBe(201);
  });

  it('does not ask the chain for a message whose nonce is not good, nor for an ordinary wallet', async () => {
    const { account } = await makeHolder(1, smart);
    verdict = '0x01';
    const { message, signature } = await handIn(account);
    const forged = message.replace(/Nonce: .*/, 'Nonce: 12345678901234567890');
    expectRefused(await post('signIn', { message: forged, signature }, smart.origin), nonceRefused);
    const own = { message, signature: await account.signMessage({ message }) };
    expect((await post('signIn', own, smart.origin)).status).toBe(201);
    expect(callCount).toBe(0);
  });
});
