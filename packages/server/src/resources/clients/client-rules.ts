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
import { readFilter } from './client-filter.ts';
import {
  clientExists,
  findClient,
  insertClient,
  type LockedClient,
  listClients,
  lockClientRow,
  updateClient,
} from './client-queries.ts';

export type { LockedClient };

/** Enters a client of the digital key, who is a lead from then on. */
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

/** The page of the digital key's clients that a query asks for. */
export async function getClientPage(
  database: Database,
  scope: HolderScope,
  query: ClientListQuery,
): Promise<ClientPage> {
  const page = pageRequest(query);
  const { clients, itemCount } = await listClients(database, scope, readFilter(query), page);
  return { clients, pageMetaDto: pageMeta(page, itemCount) };
}

/** The client, or the 404 or 403. */
export async function getClient(database: Database, scope: HolderScope, clientId: string): Promise<Client> {
  return (await findClient(database, scope, clientId)) ?? (await refuseClient(database, clientId));
}

/** Changes the fields that are named, of the shipping address too; the others stay. */
export async function changeClient(
  database: Database,
  scope: HolderScope,
  clientId: string,
  change: ClientChange,
): Promise<Client> {
  const client = await updateClient(database, scope, clientId, change);
  if (client === 'e-mail taken') throw emailTaken();
  return client ?? (await refuseClient(database, clientId));
}

/** Keeps the client as it is until the transaction ends, for what hangs on it; or the 404 or 403. */
export async function lockClient(
  run: RunInTransaction,
  database: Database,
  scope: HolderScope,
  clientId: string,
): Promise<LockedClient> {
  return (await lockClientRow(run, scope, clientId)) ?? (await refuseClient(database, clientId));
}

/** The 403 for a client of another digital key, the 404 for one that does not exist. */
export async function refuseClient(database: Database, clientId: string): Promise<never> {
  throw notInScope('Client', await clientExists(database, clientId));
}

function emailTaken(): ApiError {
  return new ApiError('EMAIL_TAKEN');
}
