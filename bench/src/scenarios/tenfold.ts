import type { Row } from '../report/row.ts';
import { invoiceNumberOf } from '../store/invoice-numbers.ts';
import { type Comparison, compareRead, type Read, reads } from './growth.ts';
import type { Scenario } from './scenario.ts';

/** Reads that `growth` leaves to other scenarios. Both searches find one order. */
const furtherReads: readonly (readonly [read: Read, condition?: string])[] = [
  ['/dapp/orders/chart-data'],
  ['/clients/status-breakdown'],
  ['/dapp/orders?status=DELIVERED&paymentStatus=REFUNDED', 'a filter that nothing matches'],
  ['/dapp/clients?status=INACTIVE', 'a filter that nothing matches'],
  [(tokenId) => `/dapp/orders?search=${invoiceNumberOf(tokenId, 50)}`, 'a search for an invoice number'],
  [
    (tokenId) => `/dapp/orders?search=${invoiceNumberOf(tokenId, 50).slice(-8)}`,
    'a search for a part of one',
  ],
];

/** Reads of a holder with many orders should cost hardly more than those of a holder with a tenth of them. */
export const tenfold: Scenario = {
  name: 'tenfold',
  measure: async (bench) => {
    if (!bench.sizes.hasTenth) throw new Error('The scenario tenfold needs --orders.');
    const limit = `the same with ${(bench.sizes.orders / 10).toLocaleString('en-US')} orders`;
    const rows: Row[] = [];
    const comparison: Comparison = { id: 'tenfold', other: 'tenth', limit, atMost: 1.3 };
    for (const [read, condition] of [...reads.map((read) => [read] as const), ...furtherReads]) {
      rows.push(await compareRead(bench, read, comparison, condition));
    }
    return rows;
  },
};
