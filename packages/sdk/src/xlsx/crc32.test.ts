import { expect, it } from 'vitest';
import { crc32 } from './crc32.ts';

it('is the checksum of the standard, in parts too', () => {
  const bytes = new TextEncoder().encode('123456789');
  expect(crc32(bytes)).toBe(0xcbf43926);
  expect(crc32(bytes.subarray(4), crc32(bytes.subarray(0, 4)))).toBe(0xcbf43926);
});
