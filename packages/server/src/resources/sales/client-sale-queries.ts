import { query } from '../../database/queries/query.ts';
import type { HolderScope } from '../../database/transactions/scope.ts';

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
