import { describe, expect, it } from 'vitest';
import { ApiKeyCache } from './api-key-cache.ts';
import type { KeyHolder } from './create-guard.ts';

const owner: KeyHolder = { keyId: 'k', holderId: 'h', tokenId: 1, walletAddress: '0x' };

function setUp(limit = 10) {
  const state = { isTrusted: true, reads: 0, answer: owner as KeyHolder | null, gate: Promise.resolve() };
  const keys = new ApiKeyCache({
    limit,
    isTrusted: () => state.isTrusted,
    find: async () => {
      state.reads++;
      const { answer } = state;
      await state.gate;
      return answer;
    },
  });
  return { state, keys };
}

describe('known keys', () => {
  it('ask once while they are trusted', async () => {
    const { state, keys } = setUp();
    expect(await keys.find('a')).toBe(owner);
    expect(await keys.find('a')).toBe(owner);
    expect(state.reads).toBe(1);
  });

  it('ask every time while they are not', async () => {
    const { state, keys } = setUp();
    await keys.find('a');
    state.isTrusted = false;
    state.answer = null;
    expect(await keys.find('a')).toBeNull();
    expect(state.reads).toBe(2);
  });

  it('ask again after they forgot', async () => {
    const { state, keys } = setUp();
    await keys.find('a');
    keys.forgetAll();
    await keys.find('a');
    expect(state.reads).toBe(2);
  });

  it('do not remember what was read before something changed', async () => {
    const { state, keys } = setUp();
    let open = () => {};
    state.gate = new Promise((resolve) => {
      open = resolve;
    });
    const slow = keys.find('a');
    // Revoked while the answer was on its way.
    keys.forgetAll();
    state.answer = null;
    open();
    await slow;
    expect(await keys.find('a')).toBeNull();
  });

  it('never remember that a key is unknown: a new one works at once', async () => {
    const { state, keys } = setUp();
    state.answer = null;
    expect(await keys.find('a')).toBeNull();
    state.answer = owner;
    expect(await keys.find('a')).toBe(owner);
  });

  it('are bounded', async () => {
    const { state, keys } = setUp(4);
    for (const fingerprint of ['a', 'b', 'c', 'd', 'e', 'e', 'a']) await keys.find(fingerprint);
    expect(state.reads).toBe(6);
  });
});
