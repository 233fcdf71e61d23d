import fc from 'fast-check';
import { expect, it } from 'vitest';
import { HashedPayload } from './hashed-payload.ts';

const nameOf = (bytes: Uint8Array) => new HashedPayload(bytes).name;

it('has the SHA-256 of its bytes', () => {
  expect(new HashedPayload(Buffer.from('{}')).digest.toString('hex')).toBe(
    '44136fa355b3678a1146ad16f7e8649e94fb4fc21fe77e8310c060f61caaff8a',
  );
});

it('has a short name that is unique for each payload', () => {
  const bytes = fc.uint8Array({ maxLength: 300 });
  fc.assert(
    fc.property(bytes, bytes, (one, other) => {
      expect(nameOf(one) === nameOf(other)).toBe(Buffer.from(one).equals(other));
      expect(nameOf(one).length).toBeLessThan(140);
    }),
  );
});

it('is named by its own bytes when it is part of a larger buffer', () => {
  const memory = Buffer.from('before{}after');
  expect(nameOf(memory.subarray(6, 8))).toBe(nameOf(Buffer.from('{}')));
});

it('has another name than a payload that equals its hash', () => {
  const long = new HashedPayload(Buffer.alloc(1_000));
  expect(nameOf(long.digest)).not.toBe(long.name);
});
