import { statement } from '../../database/statements/statement.ts';
import type { HolderScope } from '../../database/transactions/scope.ts';
import type { RunInTransaction } from '../../database/transactions/transaction.ts';

const insertLead = statement(
  'sales.insert-lead',
  `INSERT INTO sales (token_id, client_id, stage) VALUES ($1, $2, 'LEADS')`,
);

/** Queues a lead of the client for the commit. */
export function openLead(tx: RunInTransaction, scope: HolderScope, clientId: string): void {
  tx.atCommit(insertLead, [scope.tokenId, clientId]);
}

const close = statement(
  'sales.close-leads',
  `UPDATE sales SET stage = 'CLOSED'
   WHERE token_id = $1 AND client_id = $2 AND stage = 'LEADS' AND order_id IS NULL`,
);

/** Queues for the commit: closes the leads of a client from which no order has come. */
export function closeLeads(tx: RunInTransaction, scope: HolderScope, clientId: string): void {
  tx.atCommit(close, [scope.tokenId, clientId]);
}
