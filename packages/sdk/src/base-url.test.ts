import { expect, it } from 'vitest';
import { readBaseUrl } from './base-url.ts';

it.each([
  ['https://shop.example', 'https://shop.example/api/v1'],
  ['https://shop.example/', 'https://shop.example/api/v1'],
  ['https://shop.example/api/v1', 'https://shop.example/api/v1'],
  ['https://shop.example/api/v1//', 'https://shop.example/api/v1'],
  ['https://shop.example/api/v1/api/v1', 'https://shop.example/api/v1/api/v1'],
  ['http://127.0.0.1:3000/keyfront', 'http://127.0.0.1:3000/keyfront/api/v1'],
])('reads %s as %s', (given, expected) => {
  expect(readBaseUrl(given)).toBe(expected);
});

it.each(['', 'shop.example', '/api/v1', 'ftp://shop.example', 'javascript:alert(1)'])(
  'rejects %j',
  (given) => {
    expect(() => readBaseUrl(given)).toThrow('baseUrl must be a URL that starts with http');
  },
);

it('rejects undefined', () => {
  // @ts-expect-error An environment variable that is not set.
  expect(() => readBaseUrl(undefined)).toThrow('baseUrl must be a URL');
});

it.each(['https://shop.example/?a=b', 'https://shop.example?', 'https://shop.example/api/v1#x'])(
  'rejects %s, because a path is appended to it',
  (given) => {
    expect(() => readBaseUrl(given)).toThrow(/^baseUrl must not contain a query or a fragment$/);
  },
);

it('rejects a URL with a password without quoting it', () => {
  expect(() => readBaseUrl('https://ada:hidden@shop.example')).toThrow(
    /^baseUrl must not contain a user name or password$/,
  );
});
