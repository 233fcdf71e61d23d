import { createHmac } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { createTokens, type TokenClaims } from './tokens.ts';

const secret = 'the secret of these tests, long enough';
const now = new Date('2026-11-15T09:30:00.250Z');
const nowSeconds = Math.floor(now.getTime() / 1000);
const wallet = `0x${'ab'.repeat(20)}`;
const tokens = createTokens({ secret, previousSecret: null, now: () => now });
const sessionId = '019a8f3e-7c00-7000-8000-000000000151';
const claims: TokenClaims = { walletAddress: wallet, role: 'holder', sessionId };
const payload = {
  jti: sessionId,
  role: 'holder',
  sub: wallet,
  iss: 'keyfront',
  aud: 'keyfront-api',
  iat: nowSeconds,
  nbf: nowSeconds,
  exp: nowSeconds + 60,
};

const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');

/** Makes a JWT without the library under test. */
function makeToken(changes: object = {}, { header = {}, key = secret, hash = 'sha256' } = {}): string {
  const text = `${encode({ alg: 'HS256', typ: 'JWT', ...header })}.${encode({ ...payload, ...changes })}`;
  return `${text}.${createHmac(hash, key).update(text).digest('base64url')}`;
}

function without(name: keyof typeof payload): string {
  return makeToken({ [name]: undefined });
}

/** Issues the token of a session that begins now. */
const issue = (changes: Partial<TokenClaims> = {}, issuer = tokens) => {
  const session = { ...claims, ...changes };
  return issuer.issue({ ...session, ...issuer.planSession(session.role) });
};

async function reasonFor(token: string, verifier = tokens): Promise<string> {
  const result = await verifier.verify(token);
  return result.ok ? 'accepted' : result.reason;
}

describe('issuing and verifying', () => {
  it('issues the token of an administrator for one hour', async () => {
    const { expiresAt } = await issue({ role: 'administrator' });
    expect(expiresAt).toBe(new Date((nowSeconds + 60 * 60) * 1000).toISOString());
  });

  it('issues a JWT for 24 hours, with the wallet in lower case', async () => {
    const issued = await issue({ walletAddress: wallet.toUpperCase().replace('X', 'x') });
    expect(issued.expiresAt).toBe('2026-11-16T09:30:00.000Z');
    const [header = '', body = '', signature] = issued.token.split('.');
    expect(JSON.parse(Buffer.from(header, 'base64url').toString())).toEqual({ alg: 'HS256', typ: 'JWT' });
    expect(JSON.parse(Buffer.from(body, 'base64url').toString())).toEqual({
      ...payload,
      exp: nowSeconds + 24 * 60 * 60,
    });
    expect(signature).toBe(createHmac('sha256', secret).update(`${header}.${body}`).digest('base64url'));
    expect(await tokens.verify(issued.token)).toEqual({ ok: true, claims });
  });

  it('issues a JWT for an administrator', async () => {
    const { token } = await issue({ role: 'administrator' });
    expect(await tokens.verify(token)).toEqual({ ok: true, claims: { ...claims, role: 'administrator' } });
  });

  it('accepts any JWT that was signed with the secret', async () => {
    expect(await tokens.verify(makeToken())).toEqual({ ok: true, claims });
  });

  it('accepts a JWT after one rotation of the secret, and rejects it after two', async () => {
    const { token } = await issue();
    const next = 'the secret after the first change, long';
    const changed = createTokens({ secret: next, previousSecret: secret, now: () => now });
    expect(await changed.verify(token)).toEqual({ ok: true, claims });
    expect(await tokens.verify((await issue({}, changed)).token)).toMatchObject({ ok: false });
    const changedTwice = createTokens({
      secret: 'yet another secret, 32 long or more',
      previousSecret: next,
    });
    expect(await reasonFor(token, changedTwice)).toMatch(/not signed by this service/);
  });

  it('checks the claims of a JWT that was signed with the previous secret', async () => {
    const changed = createTokens({ secret: 'x'.repeat(32), previousSecret: secret, now: () => now });
    expect(await reasonFor(makeToken({ exp: nowSeconds - 70 }), changed)).toBe(
      'the token has expired: sign in again',
    );
  });

  it('tolerates clocks that differ by a minute', async () => {
    expect(await reasonFor(makeToken({ exp: nowSeconds - 59 }))).toBe('accepted');
    expect(await reasonFor(makeToken({ nbf: nowSeconds + 60, iat: nowSeconds + 60 }))).toBe('accepted');
    expect(await reasonFor(makeToken({ exp: nowSeconds - 60 }))).toMatch(/expired/);
    expect(await reasonFor(makeToken({ nbf: nowSeconds + 61 }))).toBe('the token is not valid yet');
  });
});

describe('rejecting a token', () => {
  const notSigned = 'the token was not signed by this service, or was modified: sign in again';
  const [head = '', body = '', signature = ''] = makeToken().split('.');
  const flipped = (signature.startsWith('A') ? 'B' : 'A') + signature.slice(1);

  it.each([
    ['of another secret', makeToken({}, { key: 'another' }), notSigned],
    [
      'with a changed body',
      `${head}.${encode({ ...payload, role: 'administrator' })}.${signature}`,
      notSigned,
    ],
    ['with a changed signature', `${head}.${body}.${flipped}`, notSigned],
    ['with half a signature', `${head}.${body}.${signature.slice(0, 20)}`, notSigned],
    ['without a signature', `${head}.${body}.`, notSigned],
    ['that has expired', makeToken({ exp: nowSeconds - 60 }), 'the token has expired: sign in again'],
    [
      'that is older than 24 hours, whatever its expiry',
      makeToken({ iat: nowSeconds - 86_461, nbf: nowSeconds - 86_461 }),
      'the token has expired: sign in again',
    ],
    ['that is not valid yet', makeToken({ nbf: nowSeconds + 61 }), 'the token is not valid yet'],
    ['from the future', makeToken({ iat: nowSeconds + 61 }), 'the token was issued in the future'],
    ['of another issuer', makeToken({ iss: 'keyfront2' }), 'the token is from another issuer'],
    ['for another audience', makeToken({ aud: 'others' }), 'the token is for another audience'],
    ['without an issuer', without('iss'), 'the token lacks the claim iss'],
    ['without an audience', without('aud'), 'the token lacks the claim aud'],
    ['without an expiry', without('exp'), 'the token lacks the claim exp'],
    ['without a start', without('nbf'), 'the token lacks the claim nbf'],
    ['without a subject', without('sub'), 'the token lacks the claim sub'],
    ['without a role', without('role'), 'the token lacks the claim role'],
    ['without a session', without('jti'), 'the token lacks the claim jti'],
    ['whose session is no id', makeToken({ jti: 'x' }), 'the token names no valid session: sign in again'],
    ['whose session is a number', makeToken({ jti: 7 }), 'the token names no valid session: sign in again'],
    [
      'with an expiry that is no number',
      makeToken({ exp: 'never' }),
      'the claim exp of the token is not valid',
    ],
    [
      'with another role',
      makeToken({ role: 'owner' }),
      'the token has no valid wallet or role: sign in again',
    ],
    [
      'whose subject is no wallet',
      makeToken({ sub: 'ada' }),
      'the token has no valid wallet or role: sign in again',
    ],
    [
      'whose subject is a list',
      makeToken({ sub: [wallet] }),
      'the token has no valid wallet or role: sign in again',
    ],
  ])('%s', async (_name, token, reason) => {
    expect(await reasonFor(token)).toBe(reason);
  });

  it.each([
    ['none, unsigned', `${encode({ alg: 'none' })}.${body}.`],
    ['none, in mixed case', `${encode({ alg: 'nOnE' })}.${body}.`],
    ['none, signed', makeToken({}, { header: { alg: 'none' } })],
    ['HS512', makeToken({}, { header: { alg: 'HS512' }, hash: 'sha512' })],
    ['HS256 in lower case', makeToken({}, { header: { alg: 'hs256' } })],
    ['RS256', makeToken({}, { header: { alg: 'RS256' } })],
  ])('with the algorithm %s', async (_name, token) => {
    expect(await reasonFor(token)).toBe('the token must be signed with HS256');
  });

  it.each([
    '',
    ' ',
    'token',
    '.',
    '..',
    '...',
    'a.b.c',
    `${head}.${body}`,
    `${head}.${body}.${signature}.`,
    `${head}.${body}.${signature}=`,
    `${head}.${body}.${signature}==`,
    `${head}=.${body}.${signature}`,
    `${head}.${body}==.${signature}`,
    ` ${head}.${body}.${signature}`,
    `${head}.${body}.${signature}\n`,
    `${head}.${body}. ${signature}`,
    `${head}.${body}.${signature}.${signature}.${signature}`,
    `${head}.${Buffer.from('not JSON').toString('base64url')}.${signature}`,
    `${encode([])}.${body}.${signature}`,
    `${encode({})}.${body}.${signature}`,
    `${encode({ alg: 'HS256', crit: ['exp'] })}.${body}.${signature}`,
    `ключ.${body}.${signature}`,
    '\0',
  ])('that is not a JWT: %j', async (token) => {
    expect(await reasonFor(token)).toMatch(/^the token (is not a JWT|was not signed by this service)/);
  });

  it('that is signed, but whose payload is no object', async () => {
    for (const content of ['null', '[]', '"x"', '{']) {
      const text = `${head}.${Buffer.from(content).toString('base64url')}`;
      const token = `${text}.${createHmac('sha256', secret).update(text).digest('base64url')}`;
      expect(await reasonFor(token)).toBe('the token is not a JWT');
    }
  });

  it('with a reason that fits into a header', async () => {
    for (const token of [
      '',
      makeToken({ exp: 1 }),
      makeToken({ aud: 'Ω"' }),
      makeToken({ iss: '\r\nx: y' }),
    ]) {
      expect(await reasonFor(token)).toMatch(/^[\x20-\x7e]+$/);
    }
  });
});
