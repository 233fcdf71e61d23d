import fc from 'fast-check';
import { expect, it } from 'vitest';
import { decodeBase64 } from './base64.ts';

it('decodes the output of any encoder', () => {
  fc.assert(
    fc.property(fc.uint8Array(), (bytes) => {
      const buffer = Buffer.from(bytes);
      const padded = buffer.toString('base64');
      const forms = [padded, padded.replaceAll('=', ''), buffer.toString('base64url')];
      for (const form of forms) expect(decodeBase64(form)).toEqual(buffer);
    }),
  );
});

it('rejects text that no encoder writes', () => {
  fc.assert(
    fc.property(fc.string(), (text) => {
      const bytes = decodeBase64(text);
      const digits = text.replace(/=+$/, '');
      if (bytes)
        expect([bytes.toString('base64').replace(/=+$/, ''), bytes.toString('base64url')]).toContain(digits);
    }),
  );
  for (const text of [
    'A',
    'AAAAA',
    'AB',
    'AAB',
    'AA=',
    'AA===',
    'A=A=',
    '=',
    'AA AA',
    'AAAA\n',
    '+_AA',
    'ÄAAA',
  ]) {
    expect(decodeBase64(text), text).toBeNull();
  }
});
