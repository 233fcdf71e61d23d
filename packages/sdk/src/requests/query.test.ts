import { expect, it } from 'vitest';
import { encodeQuery, type Query } from './query.ts';

it.each<[Query, string]>([
  [{}, ''],
  [{ search: 'lunar saffron', take: 5 }, 'search=lunar%20saffron&take=5'],
  [{ a: undefined, b: null, c: '', d: false, e: 0 }, 'c=&d=false&e=0'],
  [{ 'a&b': 'c=d+é' }, 'a%26b=c%3Dd%2B%C3%A9'],
  [new URLSearchParams('z=1&a=2&z=3'), 'z=1&a=2&z=3'],
  ['search=lunar%20saffron&take=5', 'search=lunar%20saffron&take=5'],
  ['?a=1', 'a=1'],
])('encodes %j as %j', (query, expected) => {
  expect(encodeQuery(query)).toBe(expected);
});
