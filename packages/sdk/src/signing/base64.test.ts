import fc from 'fast-check';
import { expect, it } from 'vitest';
import { decodeBase64, encodeBase64 } from './base64.ts';

it('encodes as Node does, and decodes that', () => {
  fc.assert(
    fc.property(fc.uint8Array({ minLength: 1, maxLength: 20_000 }), (bytes) => {
      const text = encodeBase64(bytes);
      expect(text).toBe(Buffer.from(bytes).toString('base64'));
      expect(decodeBase64(text)).toEqual(bytes);
      expect(decodeBase64(Buffer.from(bytes).toString('base64url'))).toEqual(bytes);
    }),
  );
});

it.each(['', ' ', 'A', 'AAAAA', 'AA*A', 'AA==A', 'é'])('rejects %j', (text) => {
  expect(decodeBase64(text)).toBeNull();
});
