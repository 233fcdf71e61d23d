import type { DatabaseJob } from '../../database/coordination/database-job.ts';
import { compactCounters } from '../../database/queries/counters.ts';
import { compactAuditCounters } from '../../resources/audit/audit-queries.ts';
import { compactOrderCounters } from '../../resources/orders/stats/order-stats-queries.ts';

/** Compacts the counter changes that orders, sales, carts and the audit log leave, so that counters stay cheap to read. */
export const compactAllCounters: DatabaseJob = {
  everyMs: 2_000,
  failureMessage: 'Counters could not be compacted',
  work: async (database, signal) => {
    await compactOrderCounters(database, signal);
    await compactCounters(database, signal);
    await compactAuditCounters(database, signal);
  },
};
