import { expect, it } from 'vitest';
import { isRepeatable } from './is-repeatable.ts';

const bytes = (value: unknown) => new TextEncoder().encode(JSON.stringify(value));

it.each([
  ['GET', null, true],
  ['DELETE', null, true],
  ['PATCH', null, true],
  ['PATCH', bytes({ stockQuantity: 5 }), true],
  ['PATCH', bytes({ stockChange: 5 }), false],
  ['POST', bytes({ stockChange: 5 }), true],
])('%s number %#', (method, body, expected) => {
  expect(isRepeatable(method, body)).toBe(expected);
});
