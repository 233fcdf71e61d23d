import { describe, expect, it } from 'vitest';
import { findOperation, listChoices } from './api-catalogue.ts';

describe('findOperation', () => {
  it.each([
    ['GET', '/dapp/orders', 'orders.list'],
    ['POST', 'dapp/orders', 'orders.create'],
    ['GET', '/dapp/orders/summary', 'orders.summary'],
    ['GET', '/dapp/orders/42?a=b', 'orders.get'],
    ['GET', '/dapp/orders/42/history', 'orders.history'],
    ['GET', '/dapp/orders/42/x', undefined],
    ['PUT', '/dapp/orders', undefined],
  ])('finds %s %s', (method, path, sdk) => {
    expect(findOperation(method, path)?.sdk).toBe(sdk);
  });
});

it('lists the values of an enumerated parameter without the empty one', () => {
  expect(listChoices('exportOrders', 'searchBy')).toEqual(['clientName', 'email', 'invoiceNumber']);
  expect(listChoices('exportOrders', 'search')).toEqual([]);
});
