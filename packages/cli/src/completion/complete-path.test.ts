import { describe, expect, it } from 'vitest';
import { completePath } from './complete-path.ts';

const complete = (typed: string, method = 'GET') => completePath(method, typed).map(({ value }) => value);

describe('completePath', () => {
  it.each([
    ['/pl', ['/planets']],
    ['pl', []],
    ['/dapp/orders/', ['/dapp/orders/summary', '/dapp/orders/chart-data', '/dapp/orders/']],
    ['/dapp/orders/42', ['/dapp/orders/42', '/dapp/orders/42/history', '/dapp/orders/42/invoice']],
    ['/dapp/orders/42/', ['/dapp/orders/42/history', '/dapp/orders/42/invoice']],
    ['/dapp/orders/42/history', ['/dapp/orders/42/history']],
    ['/dapp/orders/42/x', []],
    ['/dapp/orders//', []],
    ['/x', []],
  ])('completes %j', (typed, expected) => {
    expect(complete(typed)).toEqual(expected);
  });

  it('offers the paths of the method', () => {
    expect(complete('/dapp/ca', 'DELETE')).toEqual(['/dapp/carts/', '/dapp/carts/client/']);
    expect(complete('/dapp/or', 'POST')).toEqual(['/dapp/orders']);
    expect(complete('/dapp/', 'PUT')).toEqual(['/dapp/carts/']);
    expect(complete('/planets', 'PUT')).toEqual([]);
  });

  it('describes each path', () => {
    expect(completePath('GET', '/pl')).toEqual([{ value: '/planets', description: 'List planets' }]);
  });
});
