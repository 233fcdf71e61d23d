import { expect, it } from 'vitest';
import { path } from './path.ts';

it('puts the values into their places, encoded', () => {
  expect(path`/dapp/orders/${'a/b?c'}/history`).toBe('/dapp/orders/a%2Fb%3Fc/history');
  expect(path`/planets`).toBe('/planets');
});

it.each(['', '.', '..'])('refuses %j, which is the address of something else', (value) => {
  expect(() => path`/dapp/clients/${value}`).toThrow('The id must not be empty');
});

it('refuses what is not there', () => {
  // @ts-expect-error Programs without types hand in anything.
  expect(() => path`/dapp/clients/${undefined}`).toThrow('The id must not be empty');
});
