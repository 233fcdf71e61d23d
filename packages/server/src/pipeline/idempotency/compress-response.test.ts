import { describe, expect, it } from 'vitest';
import { compressResponse, decompressResponse } from './compress-response.ts';

const responseOf = (lines: number) =>
  Buffer.from(
    JSON.stringify({
      success: true,
      data: Array.from({ length: lines }, (_, line) => ({
        id: `019a8f3e-7c00-7000-8000-${line}`,
        quantity: line,
      })),
    }),
  );

describe('a stored response', () => {
  it.each([0, 1, 3, 30, 3000])('is restored byte for byte with %i lines', (lines) => {
    const body = responseOf(lines);
    expect(decompressResponse(compressResponse(body)).equals(body)).toBe(true);
  });

  it('takes less than half of its size if it has several lines', () => {
    const body = responseOf(10);
    expect(compressResponse(body).length).toBeLessThan(body.length / 2);
  });

  it('is read as it is if it was stored without compression', () => {
    const body = responseOf(10);
    expect(decompressResponse(body)).toBe(body);
  });
});
