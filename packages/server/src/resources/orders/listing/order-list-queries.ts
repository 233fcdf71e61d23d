import { type ArchiveSpan, mergeArchives, type Place, type Window } from '@keyfront/order-archive';
import { type CsvKind, CsvLines, lineEnd, type Statement, statement } from '@keyfront/postgres';
import { type AdminOrder, orderSearchFields } from '@keyfront/protocol';
import type { Database } from '../../../database/database.ts';
import { addressPattern, composeEmailMatch, likePattern } from '../../../database/queries/like-pattern.ts';
import { opaqueToPlanner } from '../../../database/queries/opaque-to-planner.ts';
import { findMatches, type MatchingIds } from '../../../database/queries/search-matches.ts';
import { StatementValues } from '../../../database/queries/statement-values.ts';
import type { Scope } from '../../../database/transactions/scope.ts';
import type { StreamedQuery } from '../../../database/transactions/stream.ts';
import { composeArchives, type ListedArchive } from '../archive/archive-queries.ts';
import type { ArchivedOrder } from '../archive/archive-rules.ts';
import { readInvoiceNumber } from '../checkout/invoice-number.ts';
import { type OrderRecord, orderColumns, toOrder } from '../order-record.ts';
import {
  composeCountFromCounters,
  composeDaySkip,
  composeStatusConditions,
  composeWhere,
} from './order-count-queries.ts';
import type { OrderPlace } from './order-cursor.ts';
import type { OrderFilter, OrderSort } from './order-filter.ts';

/** The start of a page: an offset, or a position. */
export type PageStart = { readonly offset: number } | { readonly after: OrderPlace };

export interface OrderListing {
  readonly filter: OrderFilter;
  readonly sort: OrderSort;
  readonly start: PageStart;
  readonly take: number;
}

/** Archived orders that an export has in memory at a time. */
const maxMergedOrders = 10_000;

interface Counted {
  readonly itemCount: number;
}

const sortColumns: Record<OrderSort['field'], { readonly column: string; readonly type: string }> = {
  createdAt: { column: 'created_at', type: 'timestamptz' },
  updatedAt: { column: 'updated_at', type: 'timestamptz' },
  totalAmount: { column: 'total_amount', type: 'numeric' },
  invoiceNumber: { column: 'invoice_number', type: 'text' },
};

/** The orders and clients that a search has found, each for its own fields. */
type SearchMatches = Partial<Record<'orders' | 'clients', MatchingIds>>;

/** A filter after its search. Without `matches` there is no search, or its condition must be evaluated for each row. */
type SearchedFilter = OrderFilter & { readonly matches?: SearchMatches };

/**
 * Lists the orders of a page with the total count. Reads one order more than requested, which tells whether another page
 * follows.
 */
export async function listOrders(
  database: Database,
  scope: Scope,
  listing: OrderListing,
): Promise<{ orders: AdminOrder[]; itemCount: number }> {
  const filter = await runSearch(database, scope, listing.filter);
  const { statement, values } = filter.matches
    ? composeFoundPage(listing, filter)
    : composePage(listing, filter);
  const rows = await database.query(scope, statement, values);
  const itemCount = rows[0]?.itemCount ?? (await countBefore(database, scope, listing, filter));
  return { orders: rows.map(toOrder), itemCount };
}

/** Counts separately for an empty page, which has no row to carry the count. */
async function countBefore(
  database: Database,
  scope: Scope,
  { start }: OrderListing,
  filter: SearchedFilter,
): Promise<number> {
  if ('offset' in start && start.offset === 0) return 0;
  const values = new StatementValues();
  const count = statement<Counted>('', `SELECT ${composeCount(filter, values)} AS "itemCount"`, {
    indexScansOnly: usesCounters(filter),
  });
  const [counted] = await database.query(scope, count, values.list);
  return counted?.itemCount ?? 0;
}

/** Streams the CSV lines of all matching orders. */
export async function* streamCsvLines(
  database: Database,
  scope: Scope,
  filter: OrderFilter,
  sort: OrderSort,
): AsyncGenerator<Buffer> {
  yield* database.stream(scope, composeCsv(await runSearch(database, scope, filter), sort));
}

/** The same with archived orders, which must be sorted by their creation. */
export async function* streamCsvWithArchived(
  database: Database,
  scope: Scope,
  filter: OrderFilter,
  sort: OrderSort,
  read: (archive: ListedArchive) => Promise<ArchivedOrder[]>,
): AsyncGenerator<Buffer> {
  const searched = await runSearch(database, scope, filter);
  const values = new StatementValues();
  const list = composeArchives(filter, values);
  yield* database.streamSnapshot(scope, async function* (run) {
    const archives = await run(list, values.list);
    const windows = mergeArchives(archives, { direction: sort.direction, read, maxOrders: maxMergedOrders });
    for await (const window of windows) yield composeCsv(searched, sort, window);
  });
}

/** Finds the time of the latest archived order that may match. Null if none does. */
export async function findLastArchived(
  database: Database,
  scope: Scope,
  filter: OrderFilter,
): Promise<Date | null> {
  // Archived orders have ended, and nothing of them is due.
  const mayMatch =
    [null, 'DELIVERED', 'CANCELLED'].includes(filter.orderStatus) && filter.isRefundDue !== true;
  if (!mayMatch) return null;
  const values = new StatementValues();
  const { text } = composeArchives(filter, values);
  // A replica may lag behind the one that the lines come from.
  const onPrimary = { ...scope, replicaRead: undefined };
  const last = statement<ArchiveSpan>('', `${text} LIMIT 1`);
  const [found] = await database.query(onPrimary, last, values.list);
  return found ? new Date(found.lastAt) : null;
}

/** Composes the CSV lines of all matching orders, or of those in a window and the archived ones in it. */
function composeCsv(filter: SearchedFilter, sort: OrderSort, window?: Window<ArchivedOrder>): StreamedQuery {
  const { after = null, until = null, orders: archived = [] } = window ?? {};
  const values = new StatementValues();
  const conditions = composeConditions(filter, values);
  if (after) conditions.push(composeAfterPlace(sort, toOrderPlace(after), values));
  if (until)
    conditions.push(composePlace(sort, sort.direction === 'asc' ? '<=' : '>=', toOrderPlace(until), values));
  const sources = [`SELECT * FROM orders ${composeWhere(conditions)}`];
  if (archived.length > 0) {
    const rows = values.add(JSON.stringify(archived.map(({ row }) => row)));
    // What a search has found are rows of the table.
    const { matches, ...unsearched } = filter;
    const where = composeWhere(composeConditions(unsearched, values));
    sources.push(`SELECT * FROM jsonb_populate_recordset(NULL::orders, ${rows}::jsonb) AS orders ${where}`);
  }
  const text = `SELECT ${Object.values(csvColumns).map(([column]) => column)}
     FROM (${sources.join(' UNION ALL ')}) AS orders JOIN clients ON clients.id = orders.client_id ${composeOrderBy(sort)}`;
  return {
    statement: statement('', text),
    values: values.list,
    createWriter: () => new CsvLines(csvKinds),
  };
}

function toOrderPlace({ at, id }: Place): OrderPlace {
  return { value: new Date(at).toISOString(), id };
}

/** Finds what matches the search of a filter. */
async function runSearch(database: Database, scope: Scope, filter: OrderFilter): Promise<SearchedFilter> {
  const { search, tokenId } = filter;
  if (search === null) return filter;
  const values = new StatementValues();
  const { ofOrders, ofClients } = composeSearch(search, values);
  const ofToken = tokenId === null ? [] : [`token_id = ${values.add(tokenId)}`];
  const select = (table: string, condition: string) =>
    `SELECT id FROM ${table} ${composeWhere([...ofToken, condition])}`;
  const selections = {
    ...(ofOrders && { orders: select('orders', ofOrders) }),
    ...(ofClients && { clients: select('clients', ofClients) }),
  };
  const name = nameSearch(search, tokenId);
  const matches = await findMatches(database, scope, search.text, { name, selections, values: values.list });
  return matches ? { ...filter, matches } : filter;
}

interface ComposedPage {
  readonly statement: Statement<OrderRecord & Counted>;
  readonly values: unknown[];
}

// LATERAL keeps a generic plan from scanning all clients.
const joinClients = `CROSS JOIN LATERAL (
  SELECT first_name, last_name, email FROM clients WHERE clients.id = orders.client_id LIMIT 1
) AS clients`;

function composePage({ sort, start, take }: OrderListing, filter: SearchedFilter): ComposedPage {
  const values = new StatementValues();
  // A search or a client finds its orders by indices of their own, for which the planner must know how many orders the holder has.
  const conditions = composeConditions(filter, values, usesCounters(filter) ? opaqueToPlanner : undefined);
  const count = composeCount(filter, values);
  const { days, place, offset } = composeStart(filter, sort, start, values);
  // Joins clients only to the rows of the page. In this form PostgreSQL recognizes that the rows are already sorted and
  // streams them. With a final sort, a page of a hundred orders takes a quarter longer.
  const before = days && `WITH total AS MATERIALIZED (SELECT ${count} AS count), ${days}`;
  const text = `${before} SELECT ${orderColumns}, ${days ? '(SELECT count FROM total)' : count} AS "itemCount"
   FROM (
     SELECT * FROM orders ${composeWhere([...conditions, ...place])} ${composeOrderBy(sort)}
     LIMIT ${values.add(take + 1)} ${offset}
   ) AS orders ${joinClients} ${composeOrderBy(sort)}`;
  const name = nameStatement(filter, sort, start);
  const options = {
    indexScansOnly: usesCounters(filter),
    // Planning a page takes longer than reading it.
    genericPlan: name !== '',
  };
  return { statement: statement(name, text, options), values: values.list };
}

/** Composes a page of what a search has found. The orders are read by their ids before they are sorted, whatever their number. */
function composeFoundPage({ sort, start, take }: OrderListing, filter: SearchedFilter): ComposedPage {
  const values = new StatementValues();
  const where = composeWhere(composeConditions(filter, values));
  const { place, offset } = composeStart(filter, sort, start, values);
  const text = `WITH found AS MATERIALIZED (SELECT id, ${sortColumns[sort.field].column} FROM orders ${where})
   SELECT ${orderColumns}, (SELECT count(*) FROM found) AS "itemCount"
   FROM (
     SELECT id FROM found AS orders ${composeWhere(place)} ${composeOrderBy(sort)}
     LIMIT ${values.add(take + 1)} ${offset}
   ) AS page
   CROSS JOIN LATERAL (SELECT * FROM orders WHERE orders.id = page.id LIMIT 1) AS orders
   ${joinClients} ${composeOrderBy(sort)}`;
  const name = nameStatement(filter, sort, start);
  return { statement: statement(name, text, { genericPlan: name !== '' }), values: values.list };
}

/** Whether the counters know how many orders match. They do not know clients, and cannot know searches. */
function usesCounters({ search, clientId, clientIds, externalReference, isRefundDue }: OrderFilter): boolean {
  return [search, clientId, clientIds, externalReference, isRefundDue].every((filter) => filter === null);
}

/** Composes the SQL that counts the orders of all pages. */
function composeCount(filter: SearchedFilter, values: StatementValues): string {
  if (usesCounters(filter)) return composeCountFromCounters(filter, values);
  return `(SELECT count(*) FROM orders ${composeWhere(composeConditions(filter, values))})`;
}

/** Up to this many matches, it is worth the time to look for the days on which they are. */
const fewMatches = 10_000;
/** From this offset on, skipping whole days by their counters is faster than skipping rows. */
const farOffset = 2_000;

function isFar(start: PageStart): boolean {
  return 'offset' in start && start.offset >= farOffset;
}

interface StartClauses {
  /** The day on which the page begins, as an item of a WITH clause. Empty if no day is skipped. */
  readonly days: string;
  /** Further conditions. */
  readonly place: readonly string[];
  readonly offset: string;
}

/**
 * Composes the start of a page: after a position, at an offset, or by skipping whole days. Days are also skipped where a filter
 * leaves few orders: without that, a page would read all orders up to the first few that match, or all if none does.
 */
function composeStart(
  filter: OrderFilter,
  sort: OrderSort,
  start: PageStart,
  values: StatementValues,
): StartClauses {
  if ('after' in start)
    return { days: '', place: [composeAfterPlace(sort, start.after, values)], offset: '' };
  const { offset } = start;
  const canSkip = sort.field === 'createdAt' && usesCounters(filter) && (isFar(start) || hasStatus(filter));
  const condition = isFar(start) ? 'true' : `(SELECT count FROM total) <= ${fewMatches}`;
  const skip = canSkip ? composeDaySkip(filter, sort, offset, values, condition) : null;
  return skip ?? { days: '', place: [], offset: `OFFSET ${values.add(offset)}` };
}

function hasStatus({ orderStatus, paymentStatus, adminApproval }: OrderFilter): boolean {
  return orderStatus !== null || paymentStatus !== null || adminApproval !== null;
}

/**
 * Names the statement of a list without filters, or of what a search has found, so that it is prepared. Filters have too many
 * combinations to prepare on each connection.
 */
function nameStatement(
  { tokenId, search, matches, ...filter }: SearchedFilter,
  { field, direction }: OrderSort,
  start: PageStart,
): string {
  if (Object.values(filter).some((value) => value !== null)) return '';
  if (search && !(matches && isInAllFields(search))) return '';
  const way = isFar(start) ? 'far' : 'after' in start ? 'after' : 'offset';
  return [search ? 'orders.found' : 'orders.page', field, direction, way, nameOwner(tokenId)].join('.');
}

/** Names the statement of a search, so that it is prepared. */
function nameSearch(search: NonNullable<OrderFilter['search']>, tokenId: number | null): string {
  if (!isInAllFields(search)) return '';
  const what = readInvoiceNumber(search.text) === null ? 'text' : 'number';
  return ['orders.search', what, nameOwner(tokenId)].join('.');
}

function isInAllFields({ by }: NonNullable<OrderFilter['search']>): boolean {
  return by.length === orderSearchFields.length;
}

function nameOwner(tokenId: number | null): string {
  return tokenId === null ? 'platform' : 'token';
}

function composeConditions(
  filter: SearchedFilter,
  values: StatementValues,
  writeToken?: (placeholder: string) => string,
): string[] {
  const conditions = composeStatusConditions(filter, values, writeToken);
  if (filter.clientId !== null) conditions.push(`orders.client_id = ${values.add(filter.clientId)}`);
  if (filter.clientIds !== null)
    conditions.push(`orders.client_id = ANY (${values.add(filter.clientIds)}::uuid[])`);
  if (filter.externalReference !== null)
    conditions.push(
      `orders.external_reference = ${values.add(filter.externalReference)} AND external_reference <> ''`,
    );
  if (filter.isRefundDue !== null) conditions.push(`orders.refund_due ${filter.isRefundDue ? '>' : '='} 0`);
  if (filter.from) conditions.push(`orders.created_at >= ${values.add(filter.from)}`);
  if (filter.to) conditions.push(`orders.created_at <= ${values.add(filter.to)}`);
  const { search, matches, tokenId } = filter;
  if (matches) conditions.push(composeMatchCondition(matches, values));
  else if (search) conditions.push(composeSearchCondition(search, tokenId, values));
  return conditions;
}

function composeMatchCondition({ orders, clients }: SearchMatches, values: StatementValues): string {
  const alternatives: string[] = [];
  if (orders !== undefined) alternatives.push(`orders.id = ANY (${values.add(orders)}::uuid[])`);
  if (clients !== undefined) alternatives.push(`orders.client_id = ANY (${values.add(clients)}::uuid[])`);
  return `(${alternatives.join(' OR ')})`;
}

function composeSearchCondition(
  search: NonNullable<OrderFilter['search']>,
  tokenId: number | null,
  values: StatementValues,
): string {
  const { ofOrders, ofClients } = composeSearch(search, values);
  const alternatives: string[] = [];
  if (ofOrders) alternatives.push(ofOrders);
  if (ofClients) {
    const ofToken = tokenId === null ? [] : [`token_id = ${values.add(tokenId)}`];
    alternatives.push(
      `orders.client_id IN (SELECT id FROM clients ${composeWhere([...ofToken, ofClients])})`,
    );
  }
  return `(${alternatives.join(' OR ')})`;
}

/** Composes the conditions for the fields of orders and of clients. They are those of the indices for the search. */
function composeSearch(
  { by, text }: NonNullable<OrderFilter['search']>,
  values: StatementValues,
): { ofOrders: string | null; ofClients: string | null } {
  const ofClients: string[] = [];
  if (by.includes('clientName'))
    ofClients.push(`first_name || ' ' || last_name ILIKE ${values.add(likePattern(text))}`);
  if (by.includes('email')) {
    ofClients.push(
      composeEmailMatch('email', values.add(likePattern(text)), values.add(addressPattern(text))),
    );
  }
  return {
    ofOrders: by.includes('invoiceNumber') ? composeNumberMatch(text, values) : null,
    ofClients: ofClients.length > 0 ? `(${ofClients.join(' OR ')})` : null,
  };
}

/** No other invoice number contains a whole one. To compare it costs the same however many orders there are. */
function composeNumberMatch(text: string, values: StatementValues): string {
  const number = readInvoiceNumber(text);
  if (number !== null) return `orders.invoice_number = ${values.add(number)}`;
  return `orders.invoice_number ILIKE ${values.add(likePattern(text))}`;
}

function composeAfterPlace(sort: OrderSort, place: OrderPlace, values: StatementValues): string {
  return composePlace(sort, sort.direction === 'asc' ? '>' : '<', place, values);
}

function composePlace(
  { field }: OrderSort,
  comparison: string,
  { value, id }: OrderPlace,
  values: StatementValues,
): string {
  const { column, type } = sortColumns[field];
  return `(orders.${column}, orders.id) ${comparison} (${values.add(value)}::${type}, ${values.add(id)}::uuid)`;
}

function composeOrderBy({ field, direction }: OrderSort): string {
  return `ORDER BY orders.${sortColumns[field].column} ${direction}, orders.id ${direction}`;
}

const csvColumns: Record<string, readonly [column: string, kind: CsvKind]> = {
  id: ['orders.id', 'plain'],
  invoiceNumber: ['orders.invoice_number', 'plain'],
  orderStatus: ['orders.order_status', 'plain'],
  paymentStatus: ['orders.payment_status', 'plain'],
  adminApproval: ['orders.admin_approval', 'plain'],
  totalAmount: ['orders.total_amount', 'plain'],
  totalQuantity: ['orders.total_quantity', 'plain'],
  currency: ['orders.currency', 'plain'],
  createdAt: ['orders.created_at', 'time'],
  updatedAt: ['orders.updated_at', 'time'],
  clientId: ['orders.client_id', 'plain'],
  clientFirstName: ['clients.first_name', 'text'],
  clientLastName: ['clients.last_name', 'text'],
  clientEmail: ['clients.email', 'text'],
  tokenId: ['orders.token_id', 'plain'],
};
/** The header line. */
export const csvHeader = Object.keys(csvColumns).join(',') + lineEnd;
const csvKinds = Object.values(csvColumns).map(([, kind]) => kind);
