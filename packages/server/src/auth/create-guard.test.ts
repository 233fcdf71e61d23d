import { generateKeyPairSync, sign } from 'node:crypto';
import { fastify } from 'fastify';
import { describe, expect, it } from 'vitest';
import { MemoryCounter } from '../rate-limit/memory-counter.ts';
import { createRateLimits } from '../rate-limit/rate-limits.ts';
import { createGuard, type KeyHolder } from './create-guard.ts';
import { createRequestVerifier } from './signatures/verify-request.ts';
import { createTokens } from './tokens.ts';

const holder: KeyHolder = { keyId: 'key', holderId: 'holder', tokenId: 1, walletAddress: '0x' };

/** A guard in front of one route, and a correctly signed request. */
function setUp() {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'secp256k1' });
  const headers = {
    'x-auth-apikey': Buffer.from(publicKey.export({ type: 'spki', format: 'pem' })).toString('base64'),
    'x-auth-signature': sign('sha256', Buffer.from('{}'), privateKey).toString('base64'),
  };
  const verifier = createRequestVerifier();
  const state: { holder: KeyHolder | null; uses: string[] } = { holder, uses: [] };
  const guard = createGuard({
    verifier,
    tokens: createTokens({ secret: 'a secret that nobody uses here', previousSecret: null }),
    limits: createRateLimits({ counter: new MemoryCounter(), enabled: false }),
    findKeyHolder: async () => state.holder,
    findHolder: async () => null,
    isAdministrator: () => false,
    recordKeyUse: (keyId) => state.uses.push(keyId),
  });
  const app = fastify();
  app.get('/', (request, reply) => guard(request, reply, 'credential'));
  const call = async () => (await app.inject({ url: '/', headers })).statusCode;
  return { verifier, state, call };
}

describe('createGuard', () => {
  it('verifies the signature of a repeated request once', async () => {
    const { verifier, state, call } = setUp();
    expect([await call(), await call(), await call()]).toEqual([200, 200, 200]);
    expect(verifier.curveVerifications).toBe(1);
    expect(state.uses).toEqual(['key', 'key', 'key']);
  });

  it('removes a signature from the cache as soon as its key is revoked', async () => {
    const { verifier, state, call } = setUp();
    await call();
    state.holder = null;
    await call();
    state.holder = holder;
    await call();
    expect(verifier.curveVerifications).toBe(2);
    expect(state.uses).toHaveLength(2);
  });
});
