import { statement } from '@keyfront/postgres';
import {
  type PageRequest,
  pageOffset,
  type Sale,
  type SaleChange,
  type SaleHistory,
  type SaleSort,
  type SaleStage,
  saleStages,
} from '@keyfront/protocol';
import type { Database } from '../../database/database.ts';
import { selectCounters } from '../../database/queries/counters.ts';
import { listAt } from '../../database/queries/list-at.ts';
import type { PageRow } from '../../database/queries/page-rows.ts';
import { query } from '../../database/queries/query.ts';
import { rowExists } from '../../database/queries/row-exists.ts';
import { wantedSnapshots } from '../../database/queries/wanted-snapshots.ts';
import type { HolderScope } from '../../database/transactions/scope.ts';

export interface SaleFilter {
  readonly stage: SaleStage | null;
  readonly clientId: string | null;
  readonly orderId: string | null;
  readonly orderBy: SaleSort;
}

const columnsWith = (
  client: string,
) => `sales.id, sales.stage, sales.description, sales.client_id AS "clientId",
  ${client} AS client, sales.order_id AS "orderId",
  sales.created_at AS "createdAt", sales.updated_at AS "updatedAt"`;
const contactOf = (client: string) =>
  `json_build_object('id', ${client}.id, 'firstName', ${client}.first_name, 'lastName', ${client}.last_name,
    'email', ${client}.email)`;
const columns = columnsWith(`(
    SELECT ${contactOf('clients')} FROM clients WHERE clients.token_id = sales.token_id AND clients.id = sales.client_id
  )`);

/** Inserts a sale. Returns null if the client is not in the scope. */
export const insertSale = query<Sale>(
  'sales.insert',
  // The lock makes an archiving transaction wait, so that it sees the sale.
  `INSERT INTO sales (token_id, client_id, stage, description)
   SELECT token_id, id, $3, $4 FROM clients WHERE token_id = $1 AND id = $2 AND archived_at IS NULL FOR SHARE
   RETURNING ${columns}`,
).find(
  (
    scope: HolderScope,
    sale: { readonly clientId: string; readonly stage: SaleStage; readonly description: string },
  ) => [scope.tokenId, sale.clientId, sale.stage, sale.description],
);

const change = 'UPDATE sales SET stage = coalesce($2, stage), description = coalesce($3, description)';
const changeOne = statement<Sale>(
  'sales.change',
  `${change} WHERE token_id = $1 AND id = $4 RETURNING ${columns}`,
);
const changeOwn = statement<Sale>(
  'sales.change-own',
  `${change} WHERE token_id = $1 AND client_id IS NULL RETURNING ${columns}`,
);

/** Updates a sale, or the digital key's own sale without an id. Returns null if the sale is not in the scope. */
export async function updateSale(
  database: Database,
  scope: HolderScope,
  id: string | null,
  { stage, description }: SaleChange,
): Promise<Sale | null> {
  const values = [scope.tokenId, stage ?? null, description ?? null];
  const rows = await (id === null
    ? database.query(scope, changeOwn, values)
    : database.query(scope, changeOne, [...values, id]));
  return rows[0] ?? null;
}

/** Lists sales as they were at these snapshots, in their order. A sale that is not in the scope is null. */
export const listSalesAt = listAt<Sale>(
  'sales.list-at',
  `SELECT wanted.number, ${columnsWith(`CASE WHEN sales.client_id IS NOT NULL THEN ${contactOf('contact')} END`)}
   FROM ${wantedSnapshots}
   JOIN sales AS stored ON stored.id = wanted.id
   LEFT JOIN clients AS stored_client ON stored_client.id = stored.client_id
   CROSS JOIN LATERAL jsonb_populate_record(stored, wanted.snapshot) AS sales
   CROSS JOIN LATERAL jsonb_populate_record(stored_client, CASE WHEN jsonb_typeof(wanted.snapshot -> 'client') = 'object'
     THEN wanted.snapshot -> 'client' ELSE '{}' END) AS contact`,
  { genericPlan: true },
);

/** Whether the sale exists, in any scope. */
export const saleExists = rowExists('sales');

const newestFirst = 'SELECT * FROM matching ORDER BY created_at DESC, id DESC LIMIT $2 OFFSET $3';
// One index has the sales of each stage in this order, so the first ones of all stages are merged.
const lastChangedFirst = `
  SELECT changed.* FROM unnest('{${saleStages.join()}}'::text[]) AS stages (name)
  CROSS JOIN LATERAL (
    SELECT * FROM matching WHERE stage = stages.name ORDER BY updated_at DESC, id DESC LIMIT $2::bigint + $3::bigint
  ) AS changed
  ORDER BY updated_at DESC, id DESC LIMIT $2 OFFSET $3`;
const composePage = (condition: string, count: string, selectPage = newestFirst, sortedBy = 'createdAt') => `
  WITH matching AS NOT MATERIALIZED (SELECT * FROM sales WHERE token_id = $1 AND ${condition})
  SELECT total.count AS "itemCount", page.*
  FROM (${count}) AS total
  LEFT JOIN (SELECT ${columns} FROM (${selectPage}) AS sales) AS page ON true
  ORDER BY page."${sortedBy}" DESC, page.id DESC`;
const countByState = (condition: string) =>
  `SELECT coalesce(sum(entries), 0)::bigint AS count FROM ${selectCounters('$1', 'sale')} AS counters WHERE ${condition}`;

const listAll = statement<PageRow<Sale>>('sales.page', composePage('true', countByState('true')), {
  indexScansOnly: true,
  genericPlan: true,
});
const matchingFilter = [
  `($4::text IS NULL OR stage = $4) AND ($5::uuid IS NULL OR client_id = $5) AND ($6::uuid IS NULL OR order_id = $6)`,
  `SELECT CASE WHEN $5::uuid IS NULL AND $6::uuid IS NULL
     THEN (${countByState('$4::text IS NULL OR state = $4')})
     ELSE (SELECT count(*) FROM matching) END AS count`,
] as const;
const listMatching = statement<PageRow<Sale>>('sales.matching', composePage(...matchingFilter), {
  indexScansOnly: true,
});
const listChanged = statement<PageRow<Sale>>(
  'sales.last-changed',
  composePage(...matchingFilter, lastChangedFirst, 'updatedAt'),
  { indexScansOnly: true },
);

/** Lists one page of matching sales, with the total count. */
export function listSales(
  database: Database,
  scope: HolderScope,
  { stage, clientId, orderId, orderBy }: SaleFilter,
  page: PageRequest,
): Promise<PageRow<Sale>[]> {
  const values = [scope.tokenId, page.take, pageOffset(page)];
  const filters = [stage, clientId, orderId];
  if (orderBy === 'updatedAt:desc') return database.query(scope, listChanged, [...values, ...filters]);
  return filters.every((filter) => filter === null)
    ? database.query(scope, listAll, values)
    : database.query(scope, listMatching, [...values, ...filters]);
}

/** Counts sales by stage, without empty stages. Those of archived orders count on. */
export const countSalesByStage = query<{ stage: SaleStage; count: number }>(
  'sales.count-stages',
  `SELECT state AS stage, entries AS count FROM ${selectCounters('$1', 'sale', 'archived sale')} AS counters
   WHERE entries > 0`,
  { indexScansOnly: true },
).listInScope((scope: HolderScope) => [scope.tokenId]);

/** Lists one page of the history of a sale, oldest first. The count is 0 if the sale is not in the scope. */
export const listSaleHistory = query<PageRow<SaleHistory['history'][number]>>(
  'sales.history',
  `SELECT total.count AS "itemCount", page.id::text, page.stage, page.description, page.changed_at AS "changedAt"
   FROM (SELECT count(*) FROM sale_history WHERE token_id = $1 AND sale_id = $2) AS total
   LEFT JOIN (
     SELECT * FROM sale_history WHERE token_id = $1 AND sale_id = $2 ORDER BY id LIMIT $3 OFFSET $4
   ) AS page ON true
   ORDER BY page.id`,
).listInScope((scope: HolderScope, id: string, page: PageRequest) => [
  scope.tokenId,
  id,
  page.take,
  pageOffset(page),
]);

/** Queues a lead of the client for the commit. */
export const openLead = query(
  'sales.insert-lead',
  `INSERT INTO sales (token_id, client_id, stage) VALUES ($1, $2, 'LEADS')`,
).atCommit((scope: HolderScope, clientId: string) => [scope.tokenId, clientId]);

/** Queues for the commit: closes the leads of a client from which no order has come. */
export const closeLeads = query(
  'sales.close-leads',
  `UPDATE sales SET stage = 'CLOSED'
   WHERE token_id = $1 AND client_id = $2 AND stage = 'LEADS' AND order_id IS NULL`,
).atCommit((scope: HolderScope, clientId: string) => [scope.tokenId, clientId]);

/** Queues for the commit: closes the sale of an order. */
export const closeSale = query(
  'sales.close',
  `UPDATE sales SET stage = 'CLOSED' WHERE order_id = $1 AND stage <> 'CLOSED'`,
).atCommit((orderId: string) => [orderId]);
