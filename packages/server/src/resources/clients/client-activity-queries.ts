import { query } from '../../database/queries/query.ts';
import type { HolderScope } from '../../database/transactions/scope.ts';
import { clientColumns } from './client-queries.ts';
import type { ClientRow } from './client-record.ts';

/** Activates a client. Returns null if the client is not in the scope, or if an administrator has deactivated it. */
export const activateUnblockedClient = query<ClientRow>(
  'clients.activate',
  `UPDATE clients SET is_active = true, deactivated_by = NULL
   WHERE id = $1 AND token_id = $2 AND archived_at IS NULL AND (is_active OR deactivated_by = 'HOLDER')
   RETURNING ${clientColumns}`,
).findInScope((scope: HolderScope, clientId: string) => [clientId, scope.tokenId]);

/** Deactivates a client. Returns null if the client is not in the scope. */
export const deactivateClientRow = query<ClientRow>(
  'clients.deactivate',
  `UPDATE clients SET is_active = false, deactivated_by = CASE WHEN is_active THEN 'HOLDER' ELSE deactivated_by END
   WHERE id = $1 AND token_id = $2 AND archived_at IS NULL RETURNING ${clientColumns}`,
).findInScope((scope: HolderScope, clientId: string) => [clientId, scope.tokenId]);
