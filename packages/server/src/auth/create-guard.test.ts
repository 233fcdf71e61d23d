import { generateKeyPairSync, sign } from 'node:crypto';
import { MemoryCounter } from '@keyfront/rate-limiter';
import { BoundVerifier, PublicKeyCache, SimpleVerifier } from '@keyfront/signatures';
import { fastify } from 'fastify';
import { describe, expect, it } from 'vitest';
import { createCountingVerifier } from '../../../../test/support/counting-verifier.ts';
import { sampleLimits } from '../../../../test/support/sample-limits.ts';
import { createRateLimits } from '../limits/rates/rate-limits.ts';
import { createBoundForm } from './bound-form.ts';
import { createGuard } from './create-guard.ts';
import { compileKeyPolicy } from './key-policy.ts';
import type { KeyDirectory, KeyHolder } from './signature-form.ts';
import { createSimpleForm } from './simple-form.ts';
import { createTokens } from './tokens.ts';

const holder: KeyHolder = {
  keyId: 'key',
  holderId: 'holder',
  tokenId: 1,
  walletAddress: '0x',
  publicKey: Buffer.alloc(0),
  policy: compileKeyPolicy({ signatures: 'any', scopes: null, expiresAt: null, allowedNetworks: null }),
};

/** Creates a key pair. Returns the headers of a request that it signs. */
function createSigner() {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'secp256k1' });
  return (payload = '{}') => ({
    'x-auth-apikey': Buffer.from(publicKey.export({ type: 'spki', format: 'pem' })).toString('base64'),
    'x-auth-signature': sign('sha256', Buffer.from(payload), privateKey).toString('base64'),
  });
}

/** A guard in front of one route, and a correctly signed request. */
function setUp({ limits = createRateLimits({ counter: new MemoryCounter(), enabled: false }) } = {}) {
  const signer = createSigner();
  const headers = signer();
  const { verifier, count: countVerifications } = createCountingVerifier();
  const simpleVerifier = new SimpleVerifier({ verifier });
  const known = new Set<string>();
  const state: { holder: KeyHolder | null; uses: string[] } = { holder, uses: [] };
  const keys: KeyDirectory = {
    findKeyHolder: async (fingerprint) => {
      if (fingerprint !== fingerprintOf(headers)) return null;
      if (state.holder) known.add(fingerprint);
      return state.holder;
    },
    findCachedKeyHolder: () => undefined,
    readKeyHolder: async () => null,
    isKnownKey: (fingerprint) => known.has(fingerprint),
    recordKeyUse: (keyId) => state.uses.push(keyId),
  };
  const bound = { verifier: new BoundVerifier(), publicKeys: new PublicKeyCache(), publicAddress: null };
  const guard = createGuard({
    ...keys,
    simpleForm: createSimpleForm(simpleVerifier, keys, null),
    boundForm: createBoundForm(bound, keys),
    limits,
    tokens: createTokens({ secret: 'a secret that nobody uses here', previousSecret: null }),
    findHolder: async () => null,
    isAdministrator: () => false,
    isSessionLive: () => true,
  });
  const app = fastify();
  app.get('/', (request, reply) => guard(request, reply, 'credential'));
  const fingerprintOf = (each: typeof headers) => {
    const [apiKeyHeader, signatureHeader] = [each['x-auth-apikey'], each['x-auth-signature']];
    const claim = simpleVerifier.readClaim({ apiKeyHeader, signatureHeader });
    return claim.ok ? claim.key.fingerprint : null;
  };
  const send = async (each: typeof headers) => (await app.inject({ url: '/', headers: each })).statusCode;
  return { countVerifications, state, signer, send, call: () => send(headers) };
}

describe('createGuard', () => {
  it('verifies the signature of a repeated request once', async () => {
    const { countVerifications, state, call } = setUp();
    expect([await call(), await call(), await call()]).toEqual([200, 200, 200]);
    expect(countVerifications()).toBe(1);
    expect(state.uses).toEqual(['key', 'key', 'key']);
  });

  it('removes a signature from the cache as soon as its key is revoked', async () => {
    const { countVerifications, state, call } = setUp();
    await call();
    state.holder = null;
    await call();
    state.holder = holder;
    await call();
    expect(countVerifications()).toBe(2);
    expect(state.uses).toHaveLength(2);
  });
});

describe('an address with too many invalid credentials', () => {
  const failures = 30;

  /** A guard whose only address has used up its failures. */
  async function setUpSuspect() {
    const clock = { ms: 0 };
    const counter = new MemoryCounter({ now: () => clock.ms });
    const guarded = setUp({ limits: createRateLimits({ counter, enabled: true, policies: sampleLimits }) });
    const wrong = guarded.signer('something else');
    for (let failure = 0; failure < failures; failure++) expect(await guarded.send(wrong)).toBe(401);
    expect(await guarded.send(wrong)).toBe(429);
    return { ...guarded, wrong };
  }

  it('may send valid requests, with a key that is known and with one that is not yet', async () => {
    const { send, signer } = await setUpSuspect();
    expect(await send(signer())).toBe(200);
    expect(await send(signer())).toBe(200);
  });

  it('gets no explanation of a wrong signature, which would take more verifications', async () => {
    const { send, signer, countVerifications } = await setUpSuspect();
    const before = countVerifications();
    expect(await send(signer('something else again'))).toBe(429);
    expect(countVerifications() - before).toBe(1);
  });

  it('may use a new key at once, however many keys are made up at the same time', {
    tags: ['long'],
  }, async () => {
    const { send, signer } = await setUpSuspect();
    const flood = Array.from({ length: 200 }, () => createSigner()('something else'));
    const few = flood.slice(0, 20);
    const replies = [...flood, ...few, ...few, ...few, ...few, ...few].map((headers) => send(headers));
    const valid = Array.from({ length: 5 }, () => send(signer()));
    expect(await Promise.all(valid)).toEqual(valid.map(() => 200));
    expect(new Set(await Promise.all(replies))).toEqual(new Set([429]));
  });

  it('cannot make the service verify everything that it sends, nor keep valid requests from it', async () => {
    const { send, call, signer, countVerifications } = await setUpSuspect();
    // Its key is known from now on.
    expect(await call()).toBe(200);
    const made = Array.from({ length: 20 }, () => createSigner()('something else'));
    const flood = Array.from({ length: 1_000 }, (_, index) => made[index % made.length] ?? made[0]);
    const before = countVerifications();
    const replies = flood.map((headers) => send(headers as (typeof made)[0]));
    const valid = [call(), send(signer()), call(), send(signer())];
    expect(await Promise.all(valid)).toEqual([200, 200, 200, 200]);
    expect(new Set(await Promise.all(replies))).toEqual(new Set([429]));
    expect(countVerifications() - before).toBeLessThan(flood.length / 2);
  });
});
