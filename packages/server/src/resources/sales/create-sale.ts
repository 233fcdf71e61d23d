import type { NewSale, Sale } from '@keyfront/protocol';
import type { Database } from '../../database/database.ts';
import type { HolderScope } from '../../database/transactions/scope.ts';
import type { RunInTransaction } from '../../database/transactions/transaction.ts';
import { throwClientNotInScope } from '../clients/client-rules.ts';
import { insertSale } from './sale-queries.ts';

// Separate from sale-rules.ts to avoid an import cycle: client-rules.ts imports sale-rules.ts.

/** Creates a sale of a client. The default stage is LEADS. */
export async function createSale(
  tx: RunInTransaction,
  database: Database,
  scope: HolderScope,
  { clientId, stage = 'LEADS', description = '' }: NewSale,
): Promise<Sale> {
  const sale = await insertSale(tx, scope, { clientId, stage, description });
  return sale ?? (await throwClientNotInScope(database, clientId));
}
