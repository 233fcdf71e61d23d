import type { Client } from '@keyfront/protocol';
import type { Database } from '../../database/database.ts';
import type { HolderScope } from '../../database/transactions/scope.ts';
import { ApiError } from '../../lib/errors/api-error.ts';
import { activateUnblockedClient, deactivateClientRow } from './client-activity-queries.ts';
import { findClient } from './client-queries.ts';
import { toClient } from './client-record.ts';
import { type ClientDependencies, throwClientNotInScope } from './client-rules.ts';

/** Lets a client order again, unless an administrator has deactivated it. */
export async function activateClient(
  database: Database,
  scope: HolderScope,
  clientId: string,
  { kycLinks }: ClientDependencies,
): Promise<Client> {
  const row = await activateUnblockedClient(database, scope, clientId);
  if (row) return toClient(row, kycLinks);
  if (await findClient(database, scope, clientId)) throw new ApiError('CLIENT_BLOCKED');
  return throwClientNotInScope(database, clientId);
}

/** Keeps a client from ordering. */
export async function deactivateClient(
  database: Database,
  scope: HolderScope,
  clientId: string,
  { kycLinks }: ClientDependencies,
): Promise<Client> {
  const row = await deactivateClientRow(database, scope, clientId);
  return toClient(row ?? (await throwClientNotInScope(database, clientId)), kycLinks);
}
