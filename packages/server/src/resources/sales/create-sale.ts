import type { NewSale, Sale } from '@keyfront/protocol';
import type { Database } from '../../database/database.ts';
import type { HolderScope } from '../../database/scope.ts';
import type { RunInTransaction } from '../../database/transaction.ts';
import { refuseClient } from '../clients/client-rules.ts';
import { insertSale } from './sale-queries.ts';

// Apart from sales.ts, which the rules of clients import: the two would import each other.

/** Opens a sale of a client, as a lead unless another stage is named. */
export async function createSale(
  run: RunInTransaction,
  database: Database,
  scope: HolderScope,
  { clientId, stage = 'LEADS', description = '' }: NewSale,
): Promise<Sale> {
  const sale = await insertSale(run, scope, { clientId, stage, description });
  return sale ?? (await refuseClient(database, clientId));
}
