import type { FileStore } from '@keyfront/file-store';
import type {
  Client,
  ClientChange,
  ClientDetails,
  ClientListQuery,
  ClientPage,
  ClientQuery,
  CreatedClient,
  MedicalRecordRequest,
  MedicalRecordResponse,
  NewClient,
} from '@keyfront/protocol';
import type { Database } from '../../database/database.ts';
import { explainMetadata } from '../../database/queries/metadata.ts';
import { getPage } from '../../database/queries/page-rows.ts';
import { type HolderScope, systemScope } from '../../database/transactions/scope.ts';
import type { RunInTransaction, RunStatement } from '../../database/transactions/transaction.ts';
import { ApiError, notInScope } from '../../lib/errors/api-error.ts';
import { JsonText } from '../../lib/json-text.ts';
import { auditReading } from '../audit/audit-rules.ts';
import type { ProviderLinks } from '../providers/provider-links.ts';
import { openLead } from '../sales/sale-rules.ts';
import { readClientFilter } from './client-filter.ts';
import { readClientInput } from './client-input.ts';
import { findClientMatches, listClients } from './client-list-queries.ts';
import {
  activateUnblockedClient,
  clientExists,
  deactivateClientRow,
  findClient,
  findClientDetails,
  findTokenOfClient,
  insertClient,
  isEmailTaken,
  type LockedClient,
  listClientsAt,
  lockClientRow,
  updateClient,
  updateClientAndRecord,
} from './client-queries.ts';
import { type ClientRow, toClient } from './client-record.ts';
import { deleteMedicalRecord, storeMedicalRecord } from './medical-record-queries.ts';
import { addCreatedAt, type MedicalRecords } from './medical-records.ts';

export { clientExists, findClientMatches, type LockedClient };

/** What the rules of clients need beside the database. */
export interface ClientDependencies {
  readonly kycLinks: ProviderLinks;
  readonly medicalRecords: MedicalRecords;
  /** Where archived orders are. Null: nowhere. */
  readonly archiveStore: FileStore | null;
}

/** Creates a client of the digital key and opens a lead for it. */
export async function createClient(
  tx: RunInTransaction,
  scope: HolderScope,
  { medicalRecord, ...request }: NewClient,
  { kycLinks, medicalRecords }: ClientDependencies,
): Promise<CreatedClient> {
  const encryptRecord = medicalRecord && medicalRecords.prepare(medicalRecord);
  const row = await insertClient(tx, scope, readClientInput(request));
  if (!row) throw emailTaken();
  openLead(tx, scope, row.id);
  if (encryptRecord) storeMedicalRecord(tx, scope, row.id, encryptRecord(ownerOf(row)));
  const client = toClient(row, kycLinks);
  return { ...client, clientId: client.id, client };
}

/** Gets one page of clients of the digital key. */
export async function getClientPage(
  database: Database,
  scope: HolderScope,
  query: ClientListQuery,
  { kycLinks }: ClientDependencies,
): Promise<ClientPage> {
  const filter = readClientFilter(query);
  const { items, pageMetaDto } = await getPage(query, (page) => listClients(database, scope, filter, page));
  return { clients: items.map((row) => toClient(row, kycLinks)), pageMetaDto };
}

/** Gets a client, with its medical record unless that is omitted, or throws the 404 or 403. */
export async function getClient(
  database: Database,
  scope: HolderScope,
  clientId: string,
  { medicalRecord: choice }: ClientQuery,
  { kycLinks, medicalRecords }: ClientDependencies,
): Promise<ClientDetails> {
  if (choice === 'omit') {
    const row =
      (await findClient(database, scope, clientId)) ?? (await throwClientNotInScope(database, clientId));
    return { ...toClient(row, kycLinks), medicalRecord: null };
  }
  const { row, record } = await findWithRecord(database, scope, clientId, medicalRecords);
  const json = record && addCreatedAt(record.json, record.createdAt);
  return { ...toClient(row, kycLinks), medicalRecord: toMedicalRecord(json) };
}

/** Gets the medical record of a client, after the reason has been written to the audit log. */
export async function readMedicalRecord(
  database: Database,
  scope: HolderScope,
  clientId: string,
  { reason }: MedicalRecordRequest,
  { medicalRecords }: ClientDependencies,
): Promise<MedicalRecordResponse> {
  const { record } = await findWithRecord(database, scope, clientId, medicalRecords);
  await database.transaction(systemScope, async (tx) => {
    // Locked, so that an erasure finds the reason.
    await lockClient(tx, database, scope, clientId);
    auditReading(tx, scope, 'CLIENT', clientId, reason);
  });
  return { medicalRecord: toMedicalRecord(record?.json ?? null) };
}

/** Finds a client with its medical record as JSON, or throws the 404 or 403. */
async function findWithRecord(
  database: Database,
  scope: HolderScope,
  clientId: string,
  medicalRecords: MedicalRecords,
): Promise<{ row: ClientRow; record: { json: string; createdAt: string } | null }> {
  const details =
    (await findClientDetails(database, scope, clientId)) ?? (await throwClientNotInScope(database, clientId));
  const { recordKeyId: keyId, recordCiphertext: ciphertext, recordCreatedAt: createdAt, ...row } = details;
  if (keyId === null || ciphertext === null || createdAt === null) return { row, record: null };
  return { row, record: { json: medicalRecords.open(ownerOf(row), { keyId, ciphertext }), createdAt } };
}

/** The text is part of the response as it is. Parsing it would lose digits. */
function toMedicalRecord(json: string | null): ClientDetails['medicalRecord'] {
  return (json === null ? null : new JsonText(json)) as ClientDetails['medicalRecord'];
}

/** Changes the given fields, also within the shipping address and the business. Other fields stay. */
export async function changeClient(
  database: Database,
  scope: HolderScope,
  clientId: string,
  { medicalRecord, ...change }: ClientChange,
  { kycLinks, medicalRecords }: ClientDependencies,
): Promise<Client> {
  const input = readClientInput(change);
  const encryptRecord = medicalRecord && medicalRecords.prepare(medicalRecord);
  const changeWithRecord = () =>
    database.transaction(scope, async (tx) => {
      const hasRecord = Boolean(encryptRecord);
      const changed = await updateClientAndRecord(tx, scope, clientId, input, hasRecord);
      if (changed && encryptRecord)
        storeMedicalRecord(tx, scope, changed.id, encryptRecord(ownerOf(changed)));
      else if (changed) deleteMedicalRecord(tx, scope, changed.id);
      return changed;
    });
  try {
    const row = await (medicalRecord === undefined
      ? updateClient(database, scope, clientId, input)
      : changeWithRecord());
    return toClient(row ?? (await throwClientNotInScope(database, clientId)), kycLinks);
  } catch (error) {
    throw isEmailTaken(error) ? emailTaken() : (explainMetadata(error) ?? error);
  }
}

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

/**
 * Describes clients as they were at these snapshots. The link of the identity check is left out: whoever has it can act as the
 * client.
 */
export async function describeClientsAt(
  tx: RunStatement,
  snapshots: readonly string[],
  kycLinks: ProviderLinks,
): Promise<(Client | null)[]> {
  const rows = await listClientsAt(tx, snapshots);
  return rows.map((row) => row && toClient({ ...row, kycReference: null }, kycLinks));
}

function ownerOf({ id, nft }: Pick<Client, 'id' | 'nft'>): { clientId: string; tokenId: number } {
  return { clientId: id, tokenId: nft.tokenId };
}

/** Locks a client until the transaction ends, or throws the 404 or 403. */
export async function lockClient(
  tx: RunInTransaction,
  database: Database,
  scope: HolderScope,
  clientId: string,
): Promise<LockedClient> {
  return (await lockClientRow(tx, scope, clientId)) ?? (await throwClientNotInScope(database, clientId));
}

/** Throws the 403 for a client of another digital key, or the 404 for a client that does not exist. */
export async function throwClientNotInScope(database: Database, clientId: string): Promise<never> {
  throw notInScope('Client', await clientExists(database, clientId));
}

/** Throws the 404 or 403 unless the client belongs to the digital key. The orders of an archived one remain. */
export async function requireOwnClient(
  database: Database,
  { tokenId }: HolderScope,
  clientId: string,
): Promise<void> {
  const owner = await findTokenOfClient(database, clientId);
  if (owner?.tokenId !== tokenId) throw notInScope('Client', owner !== null);
}

function emailTaken(): ApiError {
  return new ApiError('EMAIL_TAKEN');
}
