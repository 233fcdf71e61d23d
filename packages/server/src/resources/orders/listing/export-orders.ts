import type { FileStore } from '@keyfront/file-store';
import type { Database } from '../../../database/database.ts';
import type { Scope } from '../../../database/transactions/scope.ts';
import { validationFailed } from '../../../lib/errors/api-error.ts';
import type { FileResponse } from '../../../pipeline/responses/file-response.ts';
import { readArchivedOrders } from '../archive/archive-rules.ts';
import { findTokenId, type OrderPageQuery } from './list-orders.ts';
import { readCursor } from './order-cursor.ts';
import { type OrderFilter, type OrderSort, readOrderFilter, readOrderSort } from './order-filter.ts';
import { csvHeader, findLastArchived, streamCsvLines, streamCsvWithArchived } from './order-list-queries.ts';

/** Where orders are: in the database, and in the files of the archive. Null: there is no place for files. */
interface OrderSources {
  readonly database: Database;
  readonly archiveStore: FileStore | null;
}

/** Exports all matching orders as a CSV file (RFC 4180). */
export function exportCsv(
  sources: OrderSources,
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
    chunks: streamFile(sources, scope, filter, sort),
  };
}

async function* streamFile(
  { database, archiveStore }: OrderSources,
  scope: Scope,
  filter: OrderFilter,
  sort: OrderSort,
): AsyncGenerator<string | Buffer> {
  let lines = streamCsvLines(database, scope, filter, sort);
  try {
    // Read the first lines before sending anything, so that an unavailable database still results in an error response.
    let first = await lines.next();
    // Asked afterwards: the lines still have what is archived from now on.
    const archivedUntil = await findLastArchived(database, scope, filter);
    if (archivedUntil !== null) {
      await lines.return(undefined);
      requireSortByCreation(sort, archivedUntil);
      const read = readArchivedOrders.bind(null, database, archiveStore);
      lines = streamCsvWithArchived(database, scope, filter, sort, read);
      first = await lines.next();
    }
    yield csvHeader;
    if (!first.done) yield first.value;
    yield* lines;
  } finally {
    await lines.return(undefined);
  }
}

/** Archived orders are in files that are sorted by their creation. */
function requireSortByCreation({ field }: OrderSort, archivedUntil: Date): void {
  if (field === 'createdAt') return;
  throw validationFailed([
    'orderBy must be asc or desc, because the range contains archived orders. For another order, choose a startDate after ' +
      archivedUntil.toISOString(),
  ]);
}
