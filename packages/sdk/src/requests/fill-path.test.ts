import { expect, it } from 'vitest';
import { fillPath } from './fill-path.ts';

it('fills in encoded values', () => {
  expect(fillPath('/dapp/orders/{orderId}/history', ['a/b?c'])).toBe('/dapp/orders/a%2Fb%3Fc/history');
  expect(fillPath('/a/{first}/b/{second}', ['1', '2'])).toBe('/a/1/b/2');
  expect(fillPath('/planets')).toBe('/planets');
});

it.each(['', '.', '..', undefined, null, 7])('rejects %j, which leads to another path', (value) => {
  expect(() => fillPath('/dapp/clients/{clientId}', [value as string])).toThrow('clientId must not be empty');
});
