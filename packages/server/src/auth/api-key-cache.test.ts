import { describe, expect, it } from 'vitest';
import { ApiKeyCache } from './api-key-cache.ts';
import { compileKeyPolicy } from './key-policy.ts';
import type { KeyHolder } from './signature-form.ts';

const holder: KeyHolder = {
  keyId: 'k',
  holderId: 'h',
  tokenId: 1,
  walletAddress: '0x',
  publicKey: Buffer.alloc(0),
  policy: compileKeyPolicy({ signatures: 'any', scopes: null, expiresAt: null, allowedNetworks: null }),
};

function setUp(limit = 10) {
  const state = { isTrusted: true, reads: 0, result: holder as KeyHolder | null, gate: Promise.resolve() };
  const keys = new ApiKeyCache({
    limit,
    isTrusted: () => state.isTrusted,
    find: async () => {
      state.reads++;
      const { result } = state;
      await state.gate;
      return result;
    },
  });
  return { state, keys };
}

describe('ApiKeyCache', () => {
  it('reads a key once while it is trusted', async () => {
    const { state, keys } = setUp();
    expect(await keys.find('a')).toBe(holder);
    expect(await keys.find('a')).toBe(holder);
    expect(state.reads).toBe(1);
  });

  it('reads a key every time while it is not trusted', async () => {
    const { state, keys } = setUp();
    await keys.find('a');
    state.isTrusted = false;
    state.result = null;
    expect(await keys.find('a')).toBeNull();
    expect(state.reads).toBe(2);
  });

  it('reads a key again after it was cleared', async () => {
    const { state, keys } = setUp();
    await keys.find('a');
    keys.clear();
    await keys.find('a');
    expect(state.reads).toBe(2);
  });

  it('does not cache a result from before a change', async () => {
    const { state, keys } = setUp();
    let open = () => {};
    state.gate = new Promise((resolve) => {
      open = resolve;
    });
    const slow = keys.find('a');
    // The key is revoked while it is being read.
    keys.clear();
    state.result = null;
    open();
    await slow;
    expect(await keys.find('a')).toBeNull();
  });

  it('does not cache that a key is unknown, so that a new key works at once', async () => {
    const { state, keys } = setUp();
    state.result = null;
    expect(await keys.find('a')).toBeNull();
    state.result = holder;
    expect(await keys.find('a')).toBe(holder);
  });

  it('knows a key that was valid, also after a change of other keys, until it is found to be revoked', async () => {
    const { state, keys } = setUp();
    expect(keys.isKnown('a')).toBe(false);
    await keys.find('a');
    keys.clear();
    expect([keys.isKnown('a'), keys.isKnown('b')]).toEqual([true, false]);
    state.result = null;
    await keys.find('a');
    expect(keys.isKnown('a')).toBe(false);
  });

  it('is bounded', async () => {
    const { state, keys } = setUp(4);
    for (const fingerprint of ['a', 'b', 'c', 'd', 'e', 'e', 'a']) await keys.find(fingerprint);
    expect(state.reads).toBe(6);
  });
});
