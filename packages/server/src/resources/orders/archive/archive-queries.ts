import type {
  ArchiveSource,
  ArchiveSpan,
  ArchiveToErase,
  ErasureSource,
  OrderAtRest,
  TokenMonth,
} from '@keyfront/order-archive';
import { type Statement, statement } from '@keyfront/postgres';
import type { Database } from '../../../database/database.ts';
import { query } from '../../../database/queries/query.ts';
import type { StatementValues } from '../../../database/queries/statement-values.ts';
import { systemScope } from '../../../database/transactions/scope.ts';
import type { OrderFilter } from '../listing/order-filter.ts';

// All of this runs in the scope of the system. Every statement about orders names the digital key.

const addDraft = query(
  'archives.add-draft',
  'INSERT INTO order_archive_drafts (token_id, file_name) VALUES ($1, $2)',
).runAsSystem((tokenId: number, fileName: string) => [tokenId, fileName]);
const cancelDrafts = query<{ tokenId: number; fileName: string; isOld: boolean }>(
  'archives.cancel-drafts',
  `UPDATE order_archive_drafts SET is_cancelled = true WHERE $1::bigint IS NULL OR token_id = $1
   RETURNING token_id AS "tokenId", file_name AS "fileName", started_at < now() - interval '1 day' AS "isOld"`,
).listAsSystem((tokenId: number | null) => [tokenId]);
const deleteDraft = query(
  'archives.delete-draft',
  'DELETE FROM order_archive_drafts WHERE token_id = $1 AND file_name = $2',
).runAsSystem((tokenId: number, fileName: string) => [tokenId, fileName]);

/** `tokenId`: whose drafts are cancelled. Null: all. */
const accessDrafts = (database: Database, tokenId: number | null) => ({
  addDraft: (ofToken: number, fileName: string) => addDraft(database, ofToken, fileName),
  cancelDrafts: () => cancelDrafts(database, tokenId),
  deleteDraft: (ofToken: number, fileName: string) => deleteDraft(database, ofToken, fileName),
});

const findLatestFile = query<{ fileName: string }>(
  'archives.find-latest',
  'SELECT file_name AS "fileName" FROM order_archives ORDER BY id DESC LIMIT 1',
).findAsSystem(() => []);

const listMonths = query<TokenMonth & { orders: number }>(
  'archives.list-months',
  `SELECT token_id AS "tokenId", to_char(day, 'YYYY-MM') AS month, sum(orders)::bigint AS orders FROM (
     SELECT token_id, day, orders, order_status, is_archived FROM order_counters WHERE day > '-infinity'
     UNION ALL SELECT token_id, day, orders, order_status, is_archived FROM order_counter_changes
   ) AS counters
   WHERE day < $1::date AND order_status IN ('DELIVERED', 'CANCELLED') AND NOT is_archived
   GROUP BY 1, 2 HAVING sum(orders) > 0 ORDER BY 2, 1`,
).listAsSystem((before: string) => [before]);

const listAtRest = query<OrderAtRest>(
  'archives.list-at-rest',
  `SELECT id, created_at AS "createdAt", describe_order(orders) AS line FROM orders
   WHERE token_id = $1 AND created_at >= $2::date::timestamptz AND created_at < ($2::date + interval '1 month')::timestamptz
     AND (created_at, id) > ($3::timestamptz, $4::uuid) AND is_at_rest(orders, $5)
   ORDER BY created_at, id LIMIT 1000`,
).listAsSystem(({ tokenId, month }: TokenMonth, after: OrderAtRest | null, unchangedSince: Date) => [
  tokenId,
  `${month}-01`,
  after?.createdAt ?? '-infinity',
  after?.id ?? '00000000-0000-0000-0000-000000000000',
  unchangedSince,
]);

const archive = statement<{ isDone: boolean }>(
  'archives.archive',
  'SELECT archive_orders($1, $2, $3, $4, $5, $6) AS "isDone"',
);

/** Makes the source of the orders that were placed before a month, and have not changed since. */
export function createArchiveSource(database: Database, before: Date, unchangedSince: Date): ArchiveSource {
  return {
    ...accessDrafts(database, null),
    findLatestFile: async () => (await findLatestFile(database))?.fileName ?? null,
    listMonths: () => listMonths(database, before.toISOString().slice(0, 10)),
    listAtRest: (month, after) => listAtRest(database, month, after, unchangedSince),
    archive: async ({ tokenId, month, orderIds, fileName, checksum, linesChecksum }) => {
      const values = [tokenId, orderIds, `${month}-01`, fileName, checksum, linesChecksum];
      const [row] = await database.transaction(systemScope, (tx) => tx(archive, values));
      return row?.isDone ?? false;
    },
  };
}

const listArchivesOf = query<ArchiveToErase>(
  'archives.list-of-client',
  `SELECT token_id AS "tokenId", id, to_char(month, 'YYYY-MM') AS month, file_name AS "fileName", checksum
   FROM order_archives JOIN (
     SELECT archive_id AS id FROM order_archive_clients WHERE token_id = $1 AND client_id = $2
   ) AS own USING (id) WHERE token_id = $1 ORDER BY id`,
).listAsSystem((tokenId: number, clientId: string) => [tokenId, clientId]);

/** An archive, as an export lists it. */
export interface ListedArchive {
  readonly tokenId: number;
  readonly id: string;
  readonly fileName: string;
  readonly checksum: string;
}

/** Composes the list of the archives that may contain orders of a filter, those with the latest orders first. */
export function composeArchives(
  { tokenId, from, to }: OrderFilter,
  values: StatementValues,
): Statement<ListedArchive & ArchiveSpan> {
  const conditions = [`last_created_at >= ${values.add(from ?? '-infinity')}`];
  if (to) conditions.push(`first_created_at <= ${values.add(to)}`);
  if (tokenId !== null) conditions.push(`token_id = ${values.add(tokenId)}`);
  return statement(
    '',
    `SELECT token_id AS "tokenId", id, file_name AS "fileName", checksum,
       (extract(epoch FROM first_created_at) * 1000)::float8 AS "firstAt", (extract(epoch FROM last_created_at) * 1000)::float8 AS "lastAt"
     FROM order_archives WHERE ${conditions.join(' AND ')} ORDER BY last_created_at DESC`,
  );
}

/** Finds an archive with the file that it has now. */
export const findArchive = query<ListedArchive>(
  'archives.find',
  `SELECT token_id AS "tokenId", id, file_name AS "fileName", checksum FROM order_archives WHERE token_id = $1 AND id = $2`,
).findAsSystem(({ tokenId, id }: ListedArchive) => [tokenId, id]);

// The audit log is about orders by their ids, which only the file has.
const eraseLines = query<{ place: number; line: string }>(
  'archives.erase-lines',
  `WITH own AS MATERIALIZED (
     SELECT line, place FROM (
       SELECT line::jsonb AS line, place FROM unnest($1::text[]) WITH ORDINALITY AS given (line, place)
     ) AS lines WHERE line -> 'order' ->> 'client_id' = $2::uuid::text
   ), audited AS (
     UPDATE audit SET before = erase_audit_texts(before), after = erase_audit_texts(after)
     WHERE subject_id IN (SELECT (line -> 'order' ->> 'id')::uuid FROM own)
   )
   SELECT place, erase_order_line(line) AS line FROM own`,
).listAsSystem((lines: readonly string[], clientId: string) => [lines, clientId]);

const replaceFile = statement<{ isDone: boolean }>(
  'archives.replace-file',
  'SELECT replace_archive_file($1, $2, $3, $4, $5) AS "isDone"',
);

/** Makes the source of the archives with orders of a client. */
export function createErasureSource(database: Database, tokenId: number, clientId: string): ErasureSource {
  return {
    ...accessDrafts(database, tokenId),
    listArchives: () => listArchivesOf(database, tokenId, clientId),
    eraseLines: async (lines) => {
      const erased = await eraseLines(database, lines, clientId);
      return new Map(erased.map(({ place, line }) => [place - 1, line]));
    },
    replaceFile: async (former, { fileName, checksum }) => {
      const values = [tokenId, former.id, former.fileName, fileName, checksum];
      const [row] = await database.transaction(systemScope, (tx) => tx(replaceFile, values));
      return row?.isDone ?? false;
    },
  };
}
