import type {
  Sale,
  SaleChange,
  SaleHistory,
  SaleHistoryQuery,
  SaleListQuery,
  SalePage,
  SaleSummary,
} from '@keyfront/protocol';
import type { Database } from '../../database/database.ts';
import { getPage } from '../../database/queries/page-rows.ts';
import type { HolderScope } from '../../database/transactions/scope.ts';
import { notInScope } from '../../lib/errors/api-error.ts';
import { countSalesByStage, listSaleHistory, listSales, saleExists, updateSale } from './sale-queries.ts';

// Clients and orders call these in their own transactions; nouns import only the rules of other nouns.
export { closeLeads, closeSale, listSalesAt, openLead } from './sale-queries.ts';

/** Changes stage or description of a sale, or of the digital key's own sale without an id. */
export async function changeSale(
  database: Database,
  scope: HolderScope,
  id: string | null,
  change: SaleChange,
): Promise<Sale> {
  const sale = await updateSale(database, scope, id, change);
  if (!sale) throw notInScope('Sale', id !== null && (await saleExists(database, id)));
  return sale;
}

/** Gets one page of sales. An empty filter value means no filter. */
export async function getSalePage(
  database: Database,
  scope: HolderScope,
  query: SaleListQuery,
): Promise<SalePage> {
  const filter = {
    stage: query.stage || null,
    clientId: query.clientId ?? null,
    orderId: query.orderId ?? null,
    orderBy: query.orderBy || 'createdAt:desc',
  } as const;
  const { items, pageMetaDto } = await getPage(query, (page) => listSales(database, scope, filter, page));
  return { sales: items, pageMetaDto };
}

/** Counts sales by stage, including the own sale of the digital key. */
export async function getSaleSummary(database: Database, scope: HolderScope): Promise<SaleSummary> {
  const stages = { LEADS: 0, ONGOING: 0, CLOSED: 0 };
  for (const { stage, count } of await countSalesByStage(database, scope)) stages[stage] = count;
  const total = Object.values(stages).reduce((sum, count) => sum + count, 0);
  return { total, stages, summary: { ...stages, totalCount: total } };
}

/** Gets one page of the history of a sale. */
export async function getSaleHistory(
  database: Database,
  scope: HolderScope,
  saleId: string,
  query: SaleHistoryQuery,
): Promise<SaleHistory> {
  const { items, pageMetaDto } = await getPage(query, (page) =>
    listSaleHistory(database, scope, saleId, page),
  );
  // Every sale has a history, so a sale without one is not in the scope.
  if (pageMetaDto.itemCount === 0) throw notInScope('Sale', await saleExists(database, saleId));
  return { history: items, pageMetaDto };
}
