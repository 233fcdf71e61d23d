import type { Database } from '../../../database/database.ts';
import type { Scope } from '../../../database/transactions/scope.ts';
import type { FileResponse } from '../../../pipeline/responses/file-response.ts';
import { findTokenId, type OrderPageQuery } from './list-orders.ts';
import { readCursor } from './order-cursor.ts';
import { readOrderFilter, readOrderSort } from './order-filter.ts';
import { csvHeader, streamCsvLines } from './order-list-queries.ts';

/** Exports all matching orders as a CSV file (RFC 4180). */
export function exportCsv(
  database: Database,
  scope: Scope,
  query: OrderPageQuery,
  today: Date,
): FileResponse {
  const sort = readOrderSort(query.orderBy);
  // A file has no pages, but an invalid cursor is an error of the caller in either case.
  if (query.cursor !== undefined) readCursor(query.cursor, sort);
  const filter = readOrderFilter(query, findTokenId(scope));
  return {
    contentType: 'text/csv; charset=utf-8; header=present',
    fileName: `orders-${today.toISOString().slice(0, 10)}.csv`,
    chunks: precedeByHeader(streamCsvLines(database, scope, filter, sort)),
  };
}

async function* precedeByHeader(lines: AsyncGenerator<Buffer>): AsyncGenerator<string | Buffer> {
  try {
    // Read the first lines before sending anything, so that an unavailable database still results in an error response.
    const first = await lines.next();
    yield csvHeader;
    if (!first.done) yield first.value;
    yield* lines;
  } finally {
    await lines.return(undefined);
  }
}
