import {
  type Client,
  type ClientChange,
  type ClientListQuery,
  type ClientPage,
  type NewClient,
  pageMeta,
  pageRequest,
} from '@keyfront/protocol';
import { ApiError, notInScope } from '../../api-error.ts';
import type { Database } from '../../database/database.ts';
import type { HolderScope } from '../../database/scope.ts';
import type { RunInTransaction } from '../../database/transaction.ts';
import { openLead } from '../sales/sale-rules.ts';
import { readClientFilter } from './client-filter.ts';
import {
  clientExists,
  findClient,
  findClientMatches,
  insertClient,
  type LockedClient,
  listClients,
  lockClientRow,
  updateClient,
} from './client-queries.ts';

export { findClientMatches, type LockedClient };

/** Creates a client of the digital key and opens a lead for it. */
export async function createClient(
  run: RunInTransaction,
  scope: HolderScope,
  input: NewClient,
): Promise<Client> {
  const client = await insertClient(run, scope, input);
  if (!client) throw emailTaken();
  openLead(run, scope, client.id);
  return client;
}

/** Gets one page of clients of the digital key. */
export async function getClientPage(
  database: Database,
  scope: HolderScope,
  query: ClientListQuery,
): Promise<ClientPage> {
  const page = pageRequest(query);
  const { clients, itemCount } = await listClients(database, scope, readClientFilter(query), page);
  return { clients, pageMetaDto: pageMeta(page, itemCount) };
}

/** Gets a client, or throws the 404 or 403. */
export async function getClient(database: Database, scope: HolderScope, clientId: string): Promise<Client> {
  return (await findClient(database, scope, clientId)) ?? (await throwClientNotInScope(database, clientId));
}

/** Changes the given fields, also within the shipping address. Other fields stay. */
export async function changeClient(
  database: Database,
  scope: HolderScope,
  clientId: string,
  change: ClientChange,
): Promise<Client> {
  const client = await updateClient(database, scope, clientId, change);
  if (client === 'e-mail taken') throw emailTaken();
  return client ?? (await throwClientNotInScope(database, clientId));
}

/** Locks a client until the transaction ends, or throws the 404 or 403. */
export async function lockClient(
  run: RunInTransaction,
  database: Database,
  scope: HolderScope,
  clientId: string,
): Promise<LockedClient> {
  return (await lockClientRow(run, scope, clientId)) ?? (await throwClientNotInScope(database, clientId));
}

/** Throws the 403 for a client of another digital key, or the 404 for a client that does not exist. */
export async function throwClientNotInScope(database: Database, clientId: string): Promise<never> {
  throw notInScope('Client', await clientExists(database, clientId));
}

function emailTaken(): ApiError {
  return new ApiError('EMAIL_TAKEN');
}
