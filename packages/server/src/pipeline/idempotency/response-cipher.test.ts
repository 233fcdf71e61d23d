import { describe, expect, it } from 'vitest';
import { createSeal } from './response-cipher.ts';

const context = 'a credential and its key';
const content = Buffer.from('{"secretKey":"shown once"}');
const seal = createSeal({ secret: 'the secret', previousSecret: null });

describe('a seal', () => {
  it('opens what it closed', () => {
    for (const each of [content, Buffer.alloc(0), Buffer.alloc(100_000, 7)]) {
      expect(seal.open(context, seal.close(context, each)).equals(each)).toBe(true);
    }
  });

  it('shows nothing of the content, and never closes it the same way twice', () => {
    const [one, other] = [seal.close(context, content), seal.close(context, content)];
    expect(one.includes('shown once')).toBe(false);
    expect(one.equals(other)).toBe(false);
  });

  it('opens nothing in another context, or with another secret', () => {
    const sealed = seal.close(context, content);
    expect(() => seal.open(`${context} `, sealed)).toThrow();
    expect(() => seal.open('', sealed)).toThrow();
    expect(() => createSeal({ secret: 'another', previousSecret: null }).open(context, sealed)).toThrow();
  });

  it('opens nothing that was changed in any byte, or cut anywhere', () => {
    const sealed = seal.close(context, content);
    for (let at = 0; at < sealed.length; at++) {
      const changed = Buffer.from(sealed);
      changed[at] = (changed[at] ?? 0) ^ 1;
      expect(() => seal.open(context, changed), `byte ${at}`).toThrow();
      expect(() => seal.open(context, sealed.subarray(0, at)), `cut at ${at}`).toThrow();
    }
    expect(() => seal.open(context, Buffer.concat([sealed, Buffer.of(0)]))).toThrow();
  });
});

describe('a seal whose secret was changed', () => {
  const renewed = createSeal({ secret: 'a new secret', previousSecret: 'the secret' });

  it('opens what was closed before, and closes with the new secret', () => {
    expect(renewed.open(context, seal.close(context, content)).equals(content)).toBe(true);
    const sealed = renewed.close(context, content);
    expect(renewed.open(context, sealed).equals(content)).toBe(true);
    expect(() => seal.open(context, sealed)).toThrow();
  });

  it('opens nothing of a secret before the previous one', () => {
    const oldest = createSeal({ secret: 'the oldest secret', previousSecret: null });
    expect(() => renewed.open(context, oldest.close(context, content))).toThrow();
  });
});
