import { expect, it } from 'vitest';
import { describeConnectionFailure } from './describe-connection-failure.ts';

const failed = new TypeError('Failed to fetch');
const reset = new TypeError('fetch failed', {
  cause: Object.assign(new Error('read ECONNRESET'), { code: 'ECONNRESET' }),
});

it.each([
  ['https://shop.example/api/v1', reset, null, 'The connection to https://shop.example failed: ECONNRESET'],
  [
    'https://shop.example/api/v1',
    new TypeError('fetch failed', { cause: new Error('certificate has expired') }),
    null,
    'The connection to https://shop.example failed: certificate has expired',
  ],
  ['https://shop.example/api/v1', failed, null, 'The connection to https://shop.example failed'],
  ['https://shop.example/api/v1', 'a string', null, 'The connection to https://shop.example failed'],
  [
    'https://shop.example/api/v1',
    failed,
    'https://shop.example',
    'The connection to https://shop.example failed',
  ],
])('%s, %s, %s', (baseUrl, error, pageOrigin, expected) => {
  expect(describeConnectionFailure(baseUrl, error, pageOrigin)).toBe(expected);
});

it('names CORS_ORIGINS and the origin of the page in a browser', () => {
  const message = describeConnectionFailure('https://api.example/api/v1', failed, 'https://shop.example');
  expect(message).toContain('no response from https://api.example');
  expect(message).toContain('CORS_ORIGINS must contain https://shop.example');
});

it('names mixed content where that is the cause', () => {
  const message = describeConnectionFailure('http://api.example/api/v1', failed, 'https://shop.example');
  expect(message).toContain('mixed content');
});

it.each(['http://localhost:3000', 'http://127.0.0.1:3000', 'http://[::1]:3000'])(
  'does not name mixed content for %s, which browsers allow',
  (origin) => {
    expect(describeConnectionFailure(`${origin}/api/v1`, failed, 'https://shop.example')).toContain(
      'CORS_ORIGINS',
    );
  },
);
