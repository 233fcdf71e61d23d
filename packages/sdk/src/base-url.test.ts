import { expect, it } from 'vitest';
import { readBaseUrl } from './base-url.ts';

it.each([
  ['https://shop.example', 'https://shop.example/api/v1'],
  ['https://shop.example/', 'https://shop.example/api/v1'],
  ['https://shop.example/api/v1', 'https://shop.example/api/v1'],
  ['https://shop.example/api/v1//', 'https://shop.example/api/v1'],
  ['https://shop.example/api/v1/api/v1', 'https://shop.example/api/v1/api/v1'],
  ['http://127.0.0.1:3000/keyfront', 'http://127.0.0.1:3000/keyfront/api/v1'],
  ['https://shop.example/?a=1#b', 'https://shop.example/api/v1'],
])('reads %s as %s', (given, expected) => {
  expect(readBaseUrl(given)).toBe(expected);
});

it.each(['', 'shop.example', '/api/v1', 'ftp://shop.example', 'javascript:alert(1)'])(
  'refuses %j',
  (given) => {
    expect(() => readBaseUrl(given)).toThrow('baseUrl must be an address that begins with http');
  },
);

it('refuses an address with a password, without showing it', () => {
  expect(() => readBaseUrl('https://ada:hidden@shop.example')).toThrow(
    /^baseUrl must not hold a user name or a password$/,
  );
});
