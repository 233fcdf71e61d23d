import type { Database } from '../../database/database.ts';
import { statement } from '../../database/statements/statement.ts';
import type { HolderScope } from '../../database/transactions/scope.ts';
import { clientColumns } from './client-queries.ts';
import type { ClientRow } from './client-record.ts';

const activateUnlessBlocked = statement<ClientRow>(
  'clients.activate',
  `UPDATE clients SET is_active = true, deactivated_by = NULL
   WHERE id = $1 AND token_id = $2 AND archived_at IS NULL AND (is_active OR deactivated_by = 'HOLDER')
   RETURNING ${clientColumns}`,
);

/** Activates a client. Returns null if the client is not in the scope, or if an administrator has deactivated it. */
export async function activateUnblockedClient(
  database: Database,
  scope: HolderScope,
  clientId: string,
): Promise<ClientRow | null> {
  const rows = await database.query(scope, activateUnlessBlocked, [clientId, scope.tokenId]);
  return rows[0] ?? null;
}

const deactivate = statement<ClientRow>(
  'clients.deactivate',
  `UPDATE clients SET is_active = false, deactivated_by = CASE WHEN is_active THEN 'HOLDER' ELSE deactivated_by END
   WHERE id = $1 AND token_id = $2 AND archived_at IS NULL RETURNING ${clientColumns}`,
);

/** Deactivates a client. Returns null if the client is not in the scope. */
export async function deactivateClientRow(
  database: Database,
  scope: HolderScope,
  clientId: string,
): Promise<ClientRow | null> {
  const rows = await database.query(scope, deactivate, [clientId, scope.tokenId]);
  return rows[0] ?? null;
}
