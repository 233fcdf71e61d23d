import type { ApiKey } from '@keyfront/sdk';
import { expect, it } from 'vitest';
import { lastDayOf, readKeyForm } from './read-key-form.ts';

const key = { expiresAt: '2026-03-04T12:34:56.000Z' } as ApiKey;
const read = (expiresAt: string, of?: ApiKey) => {
  const form = new FormData();
  form.set('keyName', ' Shop ');
  form.set('expiresAt', expiresAt);
  form.set('allowedNetworks', '203.0.113.0/24');
  return readKeyForm(form, of);
};

it('takes empty lists for no limit', () => {
  expect(read('')).toEqual({
    keyName: 'Shop',
    signatures: 'any',
    scopes: null,
    allowedNetworks: ['203.0.113.0/24'],
    expiresAt: null,
  });
});

it('keeps the end of a key to the second while its day stays', () => {
  expect(read(lastDayOf(key), key).expiresAt).toBe(key.expiresAt);
  expect(read('', key).expiresAt).toBeNull();
  const end = read('2026-03-09', key).expiresAt ?? '';
  expect(lastDayOf({ expiresAt: end } as ApiKey)).toBe('2026-03-09');
  expect(Date.parse(end)).toBe(new Date('2026-03-09T23:59:59').getTime());
});
