import {
  type AdminClient,
  type Approval,
  type Client,
  type ClientChange,
  type NewClient,
  type PageRequest,
  pageOffset,
} from '@keyfront/protocol';
import type { Database } from '../../database/database.ts';
import { likePattern } from '../../database/like-pattern.ts';
import { readPage } from '../../database/page-rows.ts';
import { rowExists } from '../../database/row-exists.ts';
import type { AdministratorScope, HolderScope } from '../../database/scope.ts';
import { findMatches, type MatchingIds } from '../../database/search-matches.ts';
import { type Statement, statement } from '../../database/statement.ts';
import type { RunInTransaction } from '../../database/transaction.ts';
import { findViolatedIndex } from '../../database/unique-violation.ts';

export interface ClientFilter {
  readonly search: string | null;
  readonly adminApproval: Approval | null;
  readonly isActive: boolean | null;
  readonly isKYCVerified: boolean | null;
}

/** The fields of a client that only administrators change. */
export interface ClientApproval {
  readonly adminApproval: Approval;
  readonly isKYCVerified: boolean;
  readonly isActive: boolean;
  readonly rejectionNote: string | null;
}

/** The number of clients with this status. */
export interface ClientCount {
  readonly adminApproval: Approval;
  readonly isKYCVerified: boolean;
  readonly isActive: boolean;
  readonly clients: number;
}

/** A client whose row is locked until the transaction ends. */
export interface LockedClient {
  readonly id: string;
  readonly firstName: string;
  readonly lastName: string;
  readonly email: string;
}

const columns = `
  id, first_name AS "firstName", last_name AS "lastName", email, phone_code AS "phoneCode",
  phone_country_code AS "phoneCountryCode", contact_number AS "contactNumber",
  json_build_object('address1', shipping_address1, 'address2', shipping_address2, 'city', shipping_city,
    'state', shipping_state, 'country', shipping_country, 'countryCode', shipping_country_code,
    'postalCode', shipping_postal_code) AS shipping,
  admin_approval AS "adminApproval", is_kyc_verified AS "isKYCVerified", is_active AS "isActive",
  json_build_object('tokenId', token_id) AS nft, created_at AS "createdAt", updated_at AS "updatedAt"`;
const adminColumns = `${columns}, rejection_note AS "rejectionNote"`;

/** The columns that holders write, and how to read each value from a change. */
const contactColumns: Readonly<Record<string, (client: ClientChange) => string | undefined>> = {
  first_name: (client) => client.firstName,
  last_name: (client) => client.lastName,
  email: (client) => client.email,
  phone_code: (client) => client.phoneCode,
  phone_country_code: (client) => client.phoneCountryCode,
  contact_number: (client) => client.contactNumber,
  shipping_address1: ({ shipping }) => shipping?.address1,
  shipping_address2: ({ shipping }) => shipping?.address2,
  shipping_city: ({ shipping }) => shipping?.city,
  shipping_state: ({ shipping }) => shipping?.state,
  shipping_country: ({ shipping }) => shipping?.country,
  shipping_country_code: ({ shipping }) => shipping?.countryCode,
  shipping_postal_code: ({ shipping }) => shipping?.postalCode,
};
const contactNames = Object.keys(contactColumns);
const contactValues = (client: ClientChange) =>
  Object.values(contactColumns).map((readValue) => readValue(client) ?? null);

const insert = statement<Client>(
  'clients.insert',
  `INSERT INTO clients (token_id, ${contactNames.join(', ')})
   VALUES ($1, ${contactNames.map((_, index) => `coalesce($${index + 2}, '')`).join(', ')})
   ON CONFLICT (token_id, lower(email)) DO NOTHING RETURNING ${columns}`,
);

/** Inserts a client. Returns null if the digital key already has a client with this e-mail. */
export async function insertClient(
  run: RunInTransaction,
  scope: HolderScope,
  client: NewClient,
): Promise<Client | null> {
  const [inserted] = await run(insert, [scope.tokenId, ...contactValues(client)]);
  return inserted ?? null;
}

const update = statement<Client>(
  'clients.update',
  `UPDATE clients SET ${contactNames.map((name, index) => `${name} = coalesce($${index + 3}, ${name})`).join(', ')}
   WHERE id = $1 AND token_id = $2 RETURNING ${columns}`,
);

/** Updates the given fields of a client. Returns null if the client is not in the scope. */
export async function updateClient(
  database: Database,
  scope: HolderScope,
  clientId: string,
  change: ClientChange,
): Promise<Client | 'e-mail taken' | null> {
  try {
    const rows = await database.query(scope, update, [clientId, scope.tokenId, ...contactValues(change)]);
    return rows[0] ?? null;
  } catch (error) {
    // The unique index decides: a lookup beforehand could be outdated when the row is written.
    if (findViolatedIndex(error) === 'clients_email') return 'e-mail taken';
    throw error;
  }
}

const findOne = statement<Client>(
  'clients.find',
  `SELECT ${columns} FROM clients WHERE id = $1 AND token_id = $2`,
);

/** Finds a client in the scope. */
export async function findClient(
  database: Database,
  scope: HolderScope,
  clientId: string,
): Promise<Client | null> {
  const rows = await database.query(scope, findOne, [clientId, scope.tokenId]);
  return rows[0] ?? null;
}

type Listed<Row> = Row & { id: string | null; itemCount: number };

interface Listing<Row> {
  readonly all: Statement<Listed<Row>>;
  /** By a pattern. */
  readonly matching: Statement<Listed<Row>>;
  /** By the ids that a search has found. */
  readonly found: Statement<Listed<Row>>;
  /** The SELECT of these ids. */
  readonly search: string;
}

/**
 * Composes the statements of a list, newest first. The total comes from the counters, so a page of a large store costs no
 * more than a page of a small one. Only a search counts rows. If the page is empty, one row holds the count and no client.
 */
function listing<Row>(name: string, columns: string, owner: string): Listing<Row> {
  // `clients` and `client_tallies` share these column names.
  const filter = `${owner} AND ($2::text IS NULL OR admin_approval = $2)
    AND ($3::boolean IS NULL OR is_active = $3) AND ($4::boolean IS NULL OR is_kyc_verified = $4)`;
  // LIMIT applies before the columns are built: building them for every skipped row would dominate the cost of late pages.
  const page = 'ORDER BY created_at DESC, id DESC LIMIT $5 OFFSET $6';
  const selectMatching = (condition: string) => `
    WITH matching AS (SELECT id, created_at FROM clients WHERE ${filter} AND ${condition})
    SELECT total.count AS "itemCount", page.*
    FROM (SELECT count(*) FROM matching) AS total
    LEFT JOIN (
      SELECT ${columns} FROM clients WHERE ${owner} AND id IN (SELECT id FROM matching ${page})
    ) AS page ON true
    ORDER BY page."createdAt" DESC, page.id DESC`;
  return {
    all: statement(
      `clients.${name}-page`,
      `SELECT total.count AS "itemCount", page.*
       FROM (SELECT coalesce(sum(clients), 0)::bigint AS count FROM client_tallies WHERE ${filter}) AS total
       LEFT JOIN (SELECT ${columns} FROM (SELECT * FROM clients WHERE ${filter} ${page}) AS listed) AS page ON true
       ORDER BY page."createdAt" DESC, page.id DESC`,
    ),
    matching: statement(`clients.${name}-matching`, selectMatching(`(${contains('$7')})`)),
    found: statement(`clients.${name}-found`, selectMatching('id = ANY ($7::uuid[])')),
    search: `SELECT id FROM clients WHERE ${owner} AND (${contains('$2')})`,
  };
}

/** The condition of a search. It is that of the index `clients_search`. */
function contains(pattern: string): string {
  return `first_name || ' ' || last_name ILIKE ${pattern} OR email ILIKE ${pattern}`;
}

const ofHolder = listing<Client>('holder', columns, 'token_id = $1');
const ofToken = listing<AdminClient>('token', adminColumns, 'token_id = $1');
const ofPlatform = listing<AdminClient>('platform', adminColumns, '$1::bigint IS NULL');

/** Lists one page of matching clients of the digital key, with the total count. */
export function listClients(
  database: Database,
  scope: HolderScope,
  filter: ClientFilter,
  page: PageRequest,
): Promise<{ clients: Client[]; itemCount: number }> {
  return readList(database, scope, ofHolder, scope.tokenId, filter, page);
}

/** Lists one page of matching clients of a digital key, or of the whole platform. */
export function listAdminClients(
  database: Database,
  scope: AdministratorScope,
  tokenId: string | null,
  filter: ClientFilter,
  page: PageRequest,
): Promise<{ clients: AdminClient[]; itemCount: number }> {
  return readList(database, scope, tokenId === null ? ofPlatform : ofToken, tokenId, filter, page);
}

async function readList<Row>(
  database: Database,
  scope: HolderScope | AdministratorScope,
  { all, matching, found, search: selection }: Listing<Row>,
  tokenId: string | number | null,
  { search, adminApproval, isActive, isKYCVerified }: ClientFilter,
  page: PageRequest,
): Promise<{ clients: Row[]; itemCount: number }> {
  const values = [tokenId, adminApproval, isActive, isKYCVerified, page.take, pageOffset(page)];
  const rows = search === null ? await database.query(scope, all, values) : await runSearch(search);
  const { items: clients, itemCount } = readPage(rows);
  return { clients, itemCount };

  async function runSearch(text: string): Promise<Listed<Row>[]> {
    const pattern = likePattern(text);
    const matches = await findMatches(database, scope, text, { clients: selection }, [tokenId, pattern]);
    return matches
      ? database.query(scope, found, [...values, matches.clients])
      : database.query(scope, matching, [...values, pattern]);
  }
}

/** Finds the clients of the digital key that a search matches. Returns null if it must be evaluated for each client. */
export async function findClientMatches(
  database: Database,
  scope: HolderScope,
  text: string,
): Promise<MatchingIds | null> {
  const values = [scope.tokenId, likePattern(text)];
  const matches = await findMatches(database, scope, text, { clients: ofHolder.search }, values);
  return matches?.clients ?? null;
}

const countOfToken = statement<ClientCount>(
  'clients.token-tallies',
  `SELECT admin_approval AS "adminApproval", is_kyc_verified AS "isKYCVerified", is_active AS "isActive", clients
   FROM client_tallies WHERE token_id = $1`,
);
const countOfPlatform = statement<ClientCount>(
  'clients.platform-tallies',
  `SELECT admin_approval AS "adminApproval", is_kyc_verified AS "isKYCVerified", is_active AS "isActive",
     sum(clients)::bigint AS clients
   FROM client_tallies GROUP BY 1, 2, 3`,
);

/** Counts clients by status: of the digital key, or of the whole platform for an administrator. */
export function listClientCounts(
  database: Database,
  scope: HolderScope | AdministratorScope,
): Promise<ClientCount[]> {
  return scope.role === 'holder'
    ? database.query(scope, countOfToken, [scope.tokenId])
    : database.query(scope, countOfPlatform);
}

const lockApproval = statement<ClientApproval>(
  'clients.lock-approval',
  `SELECT admin_approval AS "adminApproval", is_kyc_verified AS "isKYCVerified", is_active AS "isActive",
     rejection_note AS "rejectionNote"
   FROM clients WHERE id = $1 FOR NO KEY UPDATE`,
);

/** Locks a client until the transaction ends and returns its approval fields. Returns null if it does not exist. */
export async function lockClientApproval(
  run: RunInTransaction,
  clientId: string,
): Promise<ClientApproval | null> {
  const [approval] = await run(lockApproval, [clientId]);
  return approval ?? null;
}

const updateApproval = statement<AdminClient>(
  'clients.write-approval',
  `UPDATE clients SET admin_approval = $2, is_kyc_verified = $3, is_active = $4, rejection_note = $5
   WHERE id = $1 RETURNING ${adminColumns}`,
);

/** Updates the approval fields of a client. */
export async function updateClientApproval(
  run: RunInTransaction,
  clientId: string,
  { adminApproval, isKYCVerified, isActive, rejectionNote }: ClientApproval,
): Promise<AdminClient | null> {
  const [client] = await run(updateApproval, [
    clientId,
    adminApproval,
    isKYCVerified,
    isActive,
    rejectionNote,
  ]);
  return client ?? null;
}

const lockOne = statement<LockedClient>(
  'clients.lock',
  `SELECT id, first_name AS "firstName", last_name AS "lastName", email FROM clients
   WHERE id = $1 AND token_id = $2 FOR NO KEY UPDATE`,
);

/** Locks a client until the transaction ends. Returns null if it is not in the scope. */
export async function lockClientRow(
  run: RunInTransaction,
  scope: HolderScope,
  clientId: string,
): Promise<LockedClient | null> {
  const [client] = await run(lockOne, [clientId, scope.tokenId]);
  return client ?? null;
}

/** Whether the client exists, in any scope. */
export const clientExists = rowExists('clients');
