import {
  type Client,
  type ClientChange,
  type ClientListQuery,
  type ClientPage,
  type CreatedClient,
  type NewClient,
  pageMeta,
  pageRequest,
} from '@keyfront/protocol';
import { ApiError, notInScope } from '../../api-error.ts';
import type { Database } from '../../database/database.ts';
import type { HolderScope } from '../../database/scope.ts';
import type { RunInTransaction } from '../../database/transaction.ts';
import type { ProviderLinks } from '../provider-links.ts';
import { openLead } from '../sales/sale-rules.ts';
import { readClientFilter } from './client-filter.ts';
import { readClientInput } from './client-input.ts';
import { findClientMatches, listClients } from './client-list-queries.ts';
import {
  clientExists,
  findClient,
  insertClient,
  type LockedClient,
  lockClientRow,
  updateClient,
} from './client-queries.ts';
import { describeClient } from './client-record.ts';

export { clientExists, findClientMatches, type LockedClient };

/** Creates a client of the digital key and opens a lead for it. */
export async function createClient(
  run: RunInTransaction,
  scope: HolderScope,
  request: NewClient,
  kycLinks: ProviderLinks,
): Promise<CreatedClient> {
  const row = await insertClient(run, scope, readClientInput(request));
  if (!row) throw emailTaken();
  openLead(run, scope, row.id);
  const client = describeClient(row, kycLinks);
  return { ...client, clientId: client.id, client };
}

/** Gets one page of clients of the digital key. */
export async function getClientPage(
  database: Database,
  scope: HolderScope,
  query: ClientListQuery,
  kycLinks: ProviderLinks,
): Promise<ClientPage> {
  const page = pageRequest(query);
  const { clients, itemCount } = await listClients(database, scope, readClientFilter(query), page);
  return {
    clients: clients.map((row) => describeClient(row, kycLinks)),
    pageMetaDto: pageMeta(page, itemCount),
  };
}

/** Gets a client, or throws the 404 or 403. */
export async function getClient(
  database: Database,
  scope: HolderScope,
  clientId: string,
  kycLinks: ProviderLinks,
): Promise<Client> {
  const row =
    (await findClient(database, scope, clientId)) ?? (await throwClientNotInScope(database, clientId));
  return describeClient(row, kycLinks);
}

/** Changes the given fields, also within the shipping address and the business. Other fields stay. */
export async function changeClient(
  database: Database,
  scope: HolderScope,
  clientId: string,
  change: ClientChange,
  kycLinks: ProviderLinks,
): Promise<Client> {
  const row = await updateClient(database, scope, clientId, readClientInput(change));
  if (row === 'e-mail taken') throw emailTaken();
  return describeClient(row ?? (await throwClientNotInScope(database, clientId)), kycLinks);
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
