import type { Row } from '../report/row.ts';
import { invoiceNumberOf } from '../store/invoice-numbers.ts';
import { compareRead, type Read, reads } from './growth.ts';
import type { Scenario } from './scenario.ts';

/** Reads that `growth` leaves to other scenarios. Both searches find one order. */
const furtherReads: readonly Read[] = [
  '/dapp/orders/chart-data',
  '/clients/status-breakdown',
  '/dapp/orders?status=DELIVERED&paymentStatus=REFUNDED',
  '/dapp/clients?status=INACTIVE',
  (tokenId) => `/dapp/orders?search=${invoiceNumberOf(tokenId, 50)}`,
  (tokenId) => `/dapp/orders?search=${invoiceNumberOf(tokenId, 50).slice(-8)}`,
];

/** Reads of a holder with many orders should cost hardly more than those of a holder with a tenth of them. */
export const tenfold: Scenario = {
  name: 'tenfold',
  measure: async (bench) => {
    if (!bench.sizes.hasTenth) throw new Error('The scenario tenfold needs --orders.');
    const limit = `the same with ${(bench.sizes.orders / 10).toLocaleString('en-US')} orders`;
    const rows: Row[] = [];
    for (const read of [...reads, ...furtherReads]) {
      rows.push(await compareRead(bench, read, { id: 'tenfold', other: 'tenth', limit, atMost: 1.3 }));
    }
    return rows;
  },
};
