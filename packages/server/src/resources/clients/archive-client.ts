import type { FileStore } from '@keyfront/file-store';
import type { ArchivedClient, ClientArchiveQuery } from '@keyfront/protocol';
import type { Database } from '../../database/database.ts';
import { type HolderScope, systemScope } from '../../database/transactions/scope.ts';
import { deleteCartOf } from '../carts/cart-rules.ts';
import { eraseArchivedOrders } from '../orders/archive/archive-rules.ts';
import { closeLeads } from '../sales/sale-rules.ts';
import { archiveClientRow, eraseArchivedClient, eraseDeliveries } from './archive-client-queries.ts';
import { throwClientNotInScope } from './client-rules.ts';

// Separate from client-rules.ts to avoid an import cycle: cart-rules.ts imports client-rules.ts.

/**
 * Archives a client, and erases its personal data if requested. Both may be repeated: if the process ends between the
 * transactions, the caller gets no response and sends the request again.
 */
export async function archiveClient(
  database: Database,
  scope: HolderScope,
  clientId: string,
  { erase }: ClientArchiveQuery,
  archiveStore: FileStore | null,
): Promise<ArchivedClient> {
  const archived = await database.transaction(scope, async (tx) => {
    const client =
      (await archiveClientRow(tx, scope, clientId)) ?? (await throwClientNotInScope(database, clientId));
    deleteCartOf(tx, scope, clientId);
    closeLeads(tx, scope, clientId);
    return client;
  });
  if (erase !== 'true') return archived;
  // The first transaction has proved that the client is in the scope. Holders may not change history and audit log.
  const erased = await database.transaction(systemScope, (tx) => eraseArchivedClient(tx, scope, clientId));
  await database.transaction(systemScope, async (tx) => eraseDeliveries(tx, scope, clientId));
  // After the rows: what is archived from now on has no personal data.
  await eraseArchivedOrders(database, archiveStore, scope.tokenId, clientId);
  return erased ?? archived;
}
