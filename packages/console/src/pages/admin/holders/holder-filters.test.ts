import { expect, it } from 'vitest';
import { readHolderFilters, readHolderSearch } from './holder-filters.ts';

const wallet = `0x${'aB'.repeat(20)}`;

it.each([
  ['', {}],
  ['  ', {}],
  ['1001', { tokenId: '1001' }],
  [' #1001 ', { tokenId: '1001' }],
  [wallet, { walletAddress: wallet }],
  ['0xaB', { walletAddress: '0xaB' }],
  ['0XaB', { walletAddress: '0xaB' }],
  [`${wallet}0`, null],
  ['12345678901234567', null],
  ['0xno', null],
  ['ada', null],
  ['<img onerror=1>', null],
])('reads the search %j as %j', (search, query) => {
  expect(readHolderSearch(search)).toEqual(query);
});

it('reads a number of the URL as text', () => {
  expect(readHolderFilters({ search: 1001, page: 2 })).toEqual({ search: '1001' });
  expect(readHolderFilters({ search: '' })).toEqual({});
});
