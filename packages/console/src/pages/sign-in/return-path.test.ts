import { expect, it } from 'vitest';
import { readReturnPath } from './return-path.ts';

it('takes a path of the console and nothing else', () => {
  expect(readReturnPath({ from: '/orders?status=SHIPPED' })).toEqual({ from: '/orders?status=SHIPPED' });
  for (const from of [
    'javascript:alert(1)',
    '//evil.example',
    '/\\evil.example',
    '/\t/evil.example',
    'orders',
    7,
  ]) {
    expect(readReturnPath({ from })).toEqual({});
  }
});
