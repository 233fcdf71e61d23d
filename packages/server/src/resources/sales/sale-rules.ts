import {
  pageMeta,
  pageRequest,
  type Sale,
  type SaleChange,
  type SaleHistory,
  type SaleHistoryQuery,
  type SaleListQuery,
  type SalePage,
  type SaleSummary,
} from '@keyfront/protocol';
import { notInScope } from '../../api-error.ts';
import type { Database } from '../../database/database.ts';
import type { HolderScope } from '../../database/scope.ts';
import type { RunInTransaction } from '../../database/transaction.ts';
import {
  changeSale,
  countSalesByStage,
  insertLead,
  listSaleHistory,
  listSales,
  saleExists,
} from './sale-queries.ts';

/** Opens the first sale of a client. Part of the transaction that creates the client. */
export function openLead(run: RunInTransaction, scope: HolderScope, clientId: string): void {
  insertLead(run, scope, clientId);
}

/** Moves or describes a sale: the one that is named, or else the own sale of the digital key. */
export async function updateSale(
  database: Database,
  scope: HolderScope,
  id: string | null,
  change: SaleChange,
): Promise<Sale> {
  const sale = await changeSale(database, scope, id, change);
  if (!sale) throw notInScope('Sale', id !== null && (await saleExists(database, id)));
  return sale;
}

/** The page of the pipeline that a query asks for. A filter that is empty is no filter. */
export async function getSalePage(
  database: Database,
  scope: HolderScope,
  query: SaleListQuery,
): Promise<SalePage> {
  const page = pageRequest(query);
  const filter = {
    stage: query.stage || null,
    clientId: query.clientId ?? null,
    orderId: query.orderId ?? null,
  };
  const { sales, itemCount } = await listSales(database, scope, filter, page);
  return { sales, pageMetaDto: pageMeta(page, itemCount) };
}

/** How many sales stand where, the own sale of the digital key included. */
export async function getSaleSummary(database: Database, scope: HolderScope): Promise<SaleSummary> {
  const summary = { total: 0, stages: { LEADS: 0, ONGOING: 0, CLOSED: 0 } };
  for (const { stage, count } of await countSalesByStage(database, scope)) {
    summary.total += count;
    summary.stages[stage] = count;
  }
  return summary;
}

/** The page of what a sale was, from its opening on. */
export async function getSaleHistory(
  database: Database,
  scope: HolderScope,
  saleId: string,
  query: SaleHistoryQuery,
): Promise<SaleHistory> {
  const page = pageRequest(query);
  const { history, itemCount } = await listSaleHistory(database, scope, saleId, page);
  // A sale has a history from its opening on, so one without any is not in the scope.
  if (itemCount === 0) throw notInScope('Sale', await saleExists(database, saleId));
  return { history, pageMetaDto: pageMeta(page, itemCount) };
}
