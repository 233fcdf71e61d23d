import { describe, expect, it } from 'vitest';
import { type ApiPath, completePath } from './complete-path.ts';

const get = (path: string): ApiPath => ({ method: 'GET', path, summary: `About ${path}` });
const paths: ApiPath[] = [
  get('/planets'),
  get('/dapp/orders'),
  get('/dapp/orders/{orderId}'),
  get('/dapp/orders/{orderId}/history'),
  get('/dapp/orders/summary'),
  { method: 'POST', path: '/dapp/orders', summary: 'Place an order' },
];

const complete = (typed: string, method = 'GET') =>
  completePath(paths, method, typed).map(({ value }) => value);

describe('completePath', () => {
  it.each([
    ['', ['/planets', '/dapp/orders', '/dapp/orders/', '/dapp/orders/summary']],
    ['/pl', ['/planets']],
    ['pl', ['/planets']],
    ['/dapp/orders/', ['/dapp/orders/', '/dapp/orders/summary']],
    ['/dapp/orders/42', ['/dapp/orders/42', '/dapp/orders/42/history']],
    ['/dapp/orders/42/', ['/dapp/orders/42/history']],
    ['/dapp/orders/42/history', ['/dapp/orders/42/history']],
    ['/dapp/orders/42/x', []],
    ['/dapp/orders//', []],
    ['/x', []],
  ])('completes %j', (typed, expected) => {
    expect(complete(typed)).toEqual(expected);
  });

  it('knows which method a path has', () => {
    expect(complete('/', 'POST')).toEqual(['/dapp/orders']);
    expect(complete('/', 'PUT')).toEqual([]);
  });

  it('describes each path', () => {
    expect(completePath(paths, 'GET', '/pl')).toEqual([{ value: '/planets', description: 'About /planets' }]);
  });
});
