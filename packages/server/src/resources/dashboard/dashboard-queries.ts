import type { ChartInterval } from '@keyfront/protocol';
import { query } from '../../database/queries/query.ts';
import type { HolderScope } from '../../database/transactions/scope.ts';

interface ClientCount {
  /** The first day of the interval. */
  readonly date: string;
  readonly clients: number;
}

/** Counts the clients that were created in each interval of a range of UTC days, unsorted and without empty intervals. */
export const countNewClients = query<ClientCount>(
  'dashboard.new-clients',
  `SELECT date_trunc($4, created_at AT TIME ZONE 'UTC')::date::text AS date, count(*) AS clients FROM clients
   WHERE token_id = $1 AND created_at >= $2::date::timestamptz AND created_at < ($3::date + 1)::timestamptz
   GROUP BY 1`,
).listInScope(
  (
    scope: HolderScope,
    range: { readonly startDate: string; readonly endDate: string; readonly interval: ChartInterval },
  ) => [scope.tokenId, range.startDate, range.endDate, range.interval],
);
