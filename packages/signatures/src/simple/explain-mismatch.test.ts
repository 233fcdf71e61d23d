import fc from 'fast-check';
import { expect, it } from 'vitest';
import { HashedPayload } from '../ecdsa/hashed-payload.ts';
import { describePayload } from './explain-mismatch.ts';

it('describes a payload with its length and hash', () => {
  expect(describePayload(new HashedPayload(Buffer.from('{}')))).toBe(
    '{} (2 bytes, SHA-256 44136fa355b3678a1146ad16f7e8649e94fb4fc21fe77e8310c060f61caaff8a)',
  );
});

it('truncates a long payload, and escapes bytes that are not printable', () => {
  expect(describePayload(new HashedPayload(Buffer.alloc(1_000_000, 'a')))).toMatch(
    /^a{200}\.\.\. \(1000000 bytes, SHA-256 [0-9a-f]{64}\)$/,
  );
  expect(describePayload(new HashedPayload(Buffer.from('é\r\n')))).toMatch(/^\\xc3\\xa9\\x0d\\x0a \(4 bytes/);
});

it('always returns short printable ASCII', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 400 }), (bytes) => {
      expect(describePayload(new HashedPayload(bytes))).toMatch(/^[\x20-\x7e]{0,320}$/);
    }),
  );
});
