import { expect, it } from 'vitest';
import { docsUrlFor } from './docs-url.ts';

it.each([
  ['http://127.0.0.1:3000/api/v1', 403, 'CART_EMPTY', 'http://127.0.0.1:3000/docs/guides/errors#CART_EMPTY'],
  ['https://shop.example/api/v1/api/v1', 404, null, 'https://shop.example/docs/guides/errors'],
  ['https://shop.example/keyfront/api/v1', null, null, 'https://shop.example/keyfront/docs/guides/errors'],
  ['https://shop.example/api/v1', 401, 'SIGNATURE_INVALID', 'https://shop.example/docs/guides/signing'],
  // The base path may be wrong, and there are no guides below a wrong one.
  ['https://shop.example/docs/api/v1', 404, 'ROUTE_NOT_FOUND', null],
  [
    'https://shop.example/api/v1',
    404,
    'ROUTE_NOT_FOUND',
    'https://shop.example/docs/guides/errors#ROUTE_NOT_FOUND',
  ],
  ['https://shop.example/api/v1', 409, 'a b#c', 'https://shop.example/docs/guides/errors#a%20b%23c'],
])('%s, %s, %s: %s', (baseUrl, status, code, expected) => {
  expect(docsUrlFor(baseUrl, { status, code })).toBe(expected);
  if (expected !== null) expect(URL.canParse(expected)).toBe(true);
});
