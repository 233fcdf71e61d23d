import { describe, expect, it } from 'vitest';
import { rankEntries } from './browser/rank-entries.ts';

const entry = (title: string, detail = '', text = '') => ({ href: `#${title}`, title, detail, text });
const entries = [
  entry('Create an order', 'POST /orders', 'createOrder Turns a cart into an order.'),
  entry('List clients', 'GET /clients', 'listClients'),
  entry('Orders', 'Guide'),
  { ...entry('NOT_FOUND', 'Errors', 'Check the id of the order'), isCode: true as const },
  { ...entry('ORDER_TOO_LARGE', 'Errors', ''), isCode: true as const },
  entry('Reorder strains', 'POST /strains/order'),
];
const titlesFor = (query: string) => rankEntries(entries, query, 10).map(({ title }) => title);

describe('ranking of search results', () => {
  it('puts matches at the start of a title first, then whole words, then the rest', () => {
    expect(titlesFor('order')).toEqual([
      'Orders',
      'Create an order',
      'Reorder strains',
      'ORDER_TOO_LARGE',
      'NOT_FOUND',
    ]);
  });

  it('puts codes last, unless the query is a code', () => {
    expect(titlesFor('order').slice(-2)).toEqual(['ORDER_TOO_LARGE', 'NOT_FOUND']);
    expect(titlesFor('order_too')).toEqual(['ORDER_TOO_LARGE']);
    expect(titlesFor('not_found')).toEqual(['NOT_FOUND']);
  });

  it('wants every word, in any order and any case', () => {
    expect(titlesFor('POST orders')).toEqual(['Create an order']);
    expect(titlesFor('order CREATE')).toEqual(['Create an order']);
    expect(titlesFor('order nothing')).toEqual([]);
  });

  it('finds by path, by operation id and by the parts of a code', () => {
    expect(titlesFor('/clients')).toEqual(['List clients']);
    expect(titlesFor('createorder')).toEqual(['Create an order']);
    expect(titlesFor('found')).toEqual(['NOT_FOUND']);
  });

  it('finds nothing without words, and no more than it may', () => {
    expect(titlesFor('  ')).toEqual([]);
    expect(rankEntries(entries, 'order', 2)).toHaveLength(2);
  });
});
