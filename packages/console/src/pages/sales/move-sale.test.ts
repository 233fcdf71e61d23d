import type { Sale } from '@keyfront/sdk';
import { expect, it } from 'vitest';
import { moveSale } from './move-sale.ts';
import { stageBeside } from './stages.ts';

const sale = (id: string, stage: Sale['stage']) => ({ id, stage }) as Sale;
const column = (...sales: Sale[]) => ({
  pages: [{ sales, pageMetaDto: { itemCount: sales.length } as never }],
  pageParams: [1],
});

it('takes a sale from one column and puts it on top of another', () => {
  const lead = sale('a', 'LEADS');
  const from = moveSale(column(lead, sale('b', 'LEADS')), 'LEADS', lead, 'ONGOING');
  const to = moveSale(column(sale('c', 'ONGOING')), 'ONGOING', lead, 'ONGOING');
  const other = moveSale(column(sale('d', 'CLOSED')), 'CLOSED', lead, 'ONGOING');
  expect(from.pages[0]?.sales.map(({ id }) => id)).toEqual(['b']);
  expect(to.pages[0]?.sales).toEqual([sale('a', 'ONGOING'), sale('c', 'ONGOING')]);
  expect([from, to, other].map(({ pages }) => pages[0]?.pageMetaDto.itemCount)).toEqual([1, 2, 1]);
});

it('knows the stages beside each other', () => {
  expect(stageBeside('LEADS', 1)).toBe('ONGOING');
  expect(stageBeside('LEADS', -1)).toBeUndefined();
  expect(stageBeside('CLOSED', 1)).toBeUndefined();
});
