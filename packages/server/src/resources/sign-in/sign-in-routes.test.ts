import type { SignIn } from '@keyfront/protocol';
import { getAddress } from 'viem';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import { afterAll, describe, expect, it } from 'vitest';
import {
  administrator,
  expectRefused,
  nonceRefused,
  respellSignature,
  startSignInService,
  tokens,
} from '../../../../../test/support/sign-in-service.ts';
import { parseMessage } from './sign-in-message.ts';

const service = await startSignInService();
const { sql, makeHolder, findHolder, sessionsOf, post, askNonce, signInAs } = service;
afterAll(() => service.close());

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
    expect(await refuse({ walletAddress: address, email: 7 })).toEqual(['email must be a string']);
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
    const other = { message, signature: respellSignature(body.signature) };
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, index) => post('signIn', index % 2 === 0 ? body : other)),
    );
    const [first, ...others] = answers.filter(({ status }) => status === 201);
    expect(others.length).toBe(9);
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
        /^the message has expired at 2020-01-01T00:00:00Z, and the time of the service is 20/,
      ],
      [
        replace('\nResources', '\nNot Before: 2999-01-01T00:00:00Z\nResources'),
        /^the message is not valid before 2999-01-01T00:00:00Z, and the time of the service is 20/,
      ],
      [
        replace(/Issued At: .*/, 'Issued At: 2999-01-01T00:00:00Z'),
        /^the message was issued in the future, at 2999-01-01T00:00:00Z, and the time of the service is 20/,
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
