import {
  type AdminOrderListQuery,
  type AdminOrderPage,
  type OrderPage,
  pageMeta,
  pageOffset,
  pageRequest,
} from '@keyfront/protocol';
import type { Database } from '../../../database/database.ts';
import type { Scope } from '../../../database/transactions/scope.ts';
import { readCursor, writeCursor } from './order-cursor.ts';
import { type OrderFilterQuery, readOrderFilter, readOrderSort } from './order-filter.ts';
import { listOrders } from './order-list-queries.ts';

export type OrderPageQuery = OrderFilterQuery & {
  readonly page?: number;
  readonly take?: number;
  readonly limit?: number;
  readonly cursor?: string;
};

/** Gets one page of orders: of the digital key, or of the whole platform for an administrator. */
export async function getOrderPage(
  database: Database,
  scope: Scope,
  query: OrderPageQuery,
): Promise<OrderPage> {
  return getPage(database, scope, query, findTokenId(scope));
}

/** Gets one page of orders for an administrator, optionally of one digital key. */
export async function getAdminOrderPage(
  database: Database,
  scope: Scope,
  { tokenId, ...query }: AdminOrderListQuery,
): Promise<AdminOrderPage> {
  return getPage(database, scope, query, tokenId === undefined ? null : Number(tokenId));
}

async function getPage(
  database: Database,
  scope: Scope,
  query: OrderPageQuery,
  tokenId: number | null,
): Promise<AdminOrderPage> {
  const page = pageRequest(query);
  const sort = readOrderSort(query.orderBy);
  const filter = readOrderFilter(query, tokenId);
  const after = query.cursor === undefined ? null : readCursor(query.cursor, sort);
  const start = after ? { after } : { offset: pageOffset(page) };
  const found = await listOrders(database, scope, { filter, sort, start, take: page.take });
  const orders = found.orders.slice(0, page.take);
  const last = orders.at(-1);
  const hasMore = found.orders.length > orders.length;
  const nextCursor =
    hasMore && last ? writeCursor(sort, { value: String(last[sort.field]), id: last.id }) : null;
  const meta = pageMeta(page, found.itemCount);
  return {
    orders,
    // A cursor has no page number, so only hasNextPage is known.
    pageMetaDto: Object.assign(
      meta,
      after ? { hasPreviousPage: true, hasNextPage: hasMore, nextCursor } : { nextCursor },
    ),
  };
}

/** The digital key that a caller sees orders of. Null: all, for administrators. */
export function findTokenId(scope: Scope): number | null {
  return scope.role === 'holder' ? scope.tokenId : null;
}
