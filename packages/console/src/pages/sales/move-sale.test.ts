import type { Sale } from '@keyfront/sdk';
import { expect, it } from 'vitest';
import { moveSales } from './move-sale.ts';
import { stageBeside } from './stages.ts';

const sale = (id: string, stage: Sale['stage']) => ({ id, stage }) as Sale;
const column = (...sales: Sale[]) => [{ sales, pageMetaDto: { itemCount: sales.length } as never }];
const lead = sale('a', 'LEADS');
const toOngoing = { sale: lead, stage: 'ONGOING' } as const;

it('takes a sale from one column and puts it on top of another', () => {
  expect(moveSales(column(lead, sale('b', 'LEADS')), 'LEADS', [toOngoing])).toEqual({
    sales: [sale('b', 'LEADS')],
    count: 1,
  });
  expect(moveSales(column(sale('c', 'ONGOING')), 'ONGOING', [toOngoing])).toEqual({
    sales: [sale('a', 'ONGOING'), sale('c', 'ONGOING')],
    count: 2,
  });
  expect(moveSales(column(sale('d', 'CLOSED')), 'CLOSED', [toOngoing])).toEqual({
    sales: [sale('d', 'CLOSED')],
    count: 1,
  });
});

it('counts a sale once whose move the service has told of already', () => {
  const arrived = moveSales(column(sale('c', 'ONGOING'), sale('a', 'ONGOING')), 'ONGOING', [toOngoing]);
  expect(arrived.sales.map(({ id }) => id)).toEqual(['a', 'c']);
  expect(arrived.count).toBe(2);
  expect(moveSales(column(sale('b', 'LEADS')), 'LEADS', [toOngoing]).count).toBe(1);
});

it('follows a sale that is moved on before it has arrived', () => {
  const moves = [toOngoing, { sale: sale('a', 'ONGOING'), stage: 'CLOSED' } as const];
  const places = (['LEADS', 'ONGOING', 'CLOSED'] as const).map((stage) =>
    moveSales(stage === 'LEADS' ? column(lead) : column(), stage, moves),
  );
  expect(places.map(({ sales }) => sales.length)).toEqual([0, 0, 1]);
  expect(places.map(({ count }) => count)).toEqual([0, 0, 1]);
});

it('knows the stages beside each other', () => {
  expect(stageBeside('LEADS', 1)).toBe('ONGOING');
  expect(stageBeside('LEADS', -1)).toBeUndefined();
  expect(stageBeside('CLOSED', 1)).toBeUndefined();
});
