import { describe, expect, it } from 'vitest';
import { isRepeatable, needsIdempotencyKey } from './retry-safety.ts';

const encode = (value: unknown) =>
  new TextEncoder().encode(typeof value === 'string' ? value : JSON.stringify(value));

describe('a known operation', () => {
  it.each(['GET', 'PATCH', 'DELETE', 'POST'])('that is safe: %s is repeated', (method) => {
    expect(isRepeatable({ method, body: null, retry: 'safe' })).toBe(true);
  });

  it('that takes an idempotency key is repeated', () => {
    expect(isRepeatable({ method: 'POST', body: encode({ a: 1 }), retry: 'idempotency-key' })).toBe(true);
  });

  it('that is executed again each time is not repeated, whatever key the caller sends', () => {
    for (const idempotencyKey of [undefined, 'order 7']) {
      expect(isRepeatable({ method: 'POST', body: null, retry: 'never', idempotencyKey })).toBe(false);
    }
  });

  it.each([
    [null, true],
    [{ stockQuantity: 5 }, true],
    [{ stockChange: 5 }, false],
    [{ stockChange: 0, name: 'x' }, false],
    // Only fields of the body itself count, not the letters anywhere in it.
    [{ description: '"stockChange"' }, true],
    ['{ "stockChange" : 5 }', false],
    ['{"stock\\u0043hange":5}', false],
    ['not JSON', true],
  ])('that names a field which must not be sent twice: %j', (body, expected) => {
    const request = { method: 'PATCH', body: body === null ? null : encode(body) };
    expect(isRepeatable({ ...request, retry: { unless: ['stockChange'] } })).toBe(expected);
  });
});

it.each([
  ['GET', true],
  ['HEAD', true],
  ['PUT', true],
  ['DELETE', true],
  ['POST', false],
  ['PATCH', false],
  ['LINK', false],
])('an unknown operation: %s', (method, expected) => {
  expect(isRepeatable({ method, body: encode({}) })).toBe(expected);
  // Whoever chooses a key knows that the operation takes one.
  expect(isRepeatable({ method, body: encode({}), idempotencyKey: 'order 7' })).toBe(
    expected || method === 'POST',
  );
});

it('gives a key to each operation that takes one, and to each POST that is unknown', () => {
  expect(needsIdempotencyKey({ method: 'POST' })).toBe(true);
  expect(needsIdempotencyKey({ method: 'POST', retry: 'safe' })).toBe(false);
  expect(needsIdempotencyKey({ method: 'POST', retry: 'never' })).toBe(false);
  expect(needsIdempotencyKey({ method: 'PATCH', retry: 'idempotency-key' })).toBe(true);
  expect(needsIdempotencyKey({ method: 'PATCH', retry: 'safe' })).toBe(false);
  expect(needsIdempotencyKey({ method: 'GET' })).toBe(false);
});
