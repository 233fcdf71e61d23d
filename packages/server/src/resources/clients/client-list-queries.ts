import { type Approval, type PageRequest, pageOffset } from '@keyfront/protocol';
import type { Database } from '../../database/database.ts';
import { likePattern } from '../../database/like-pattern.ts';
import { readPage } from '../../database/page-rows.ts';
import type { AdministratorScope, HolderScope } from '../../database/scope.ts';
import { findMatches, type MatchingIds } from '../../database/search-matches.ts';
import { type Statement, statement } from '../../database/statement.ts';
import { adminClientColumns } from './client-approval-queries.ts';
import { clientColumns } from './client-queries.ts';
import type { AdminClientRow, ClientRow } from './client-record.ts';

export interface ClientFilter {
  readonly search: string | null;
  readonly adminApproval: Approval | null;
  readonly isActive: boolean | null;
  readonly isKYCVerified: boolean | null;
}

/** The number of clients with this status. */
export interface ClientCount {
  readonly adminApproval: Approval;
  readonly isKYCVerified: boolean;
  readonly isActive: boolean;
  readonly clients: number;
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
    WITH matching AS (SELECT id, created_at FROM clients WHERE ${filter} AND archived_at IS NULL AND ${condition})
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
       LEFT JOIN (SELECT ${columns} FROM (SELECT * FROM clients WHERE ${filter} AND archived_at IS NULL ${page}) AS listed) AS page ON true
       ORDER BY page."createdAt" DESC, page.id DESC`,
    ),
    matching: statement(`clients.${name}-matching`, selectMatching(`(${contains('$7')})`)),
    found: statement(`clients.${name}-found`, selectMatching('id = ANY ($7::uuid[])')),
    search: `SELECT id FROM clients WHERE ${owner} AND archived_at IS NULL AND (${contains('$2')})`,
  };
}

/** The condition of a search. It is that of the index `clients_search`. */
function contains(pattern: string): string {
  return `first_name || ' ' || last_name ILIKE ${pattern} OR email ILIKE ${pattern}`;
}

const ofHolder = listing<ClientRow>('holder', clientColumns, 'token_id = $1');
const ofToken = listing<AdminClientRow>('token', adminClientColumns, 'token_id = $1');
const ofPlatform = listing<AdminClientRow>('platform', adminClientColumns, '$1::bigint IS NULL');

/** Lists one page of matching clients of the digital key, with the total count. */
export function listClients(
  database: Database,
  scope: HolderScope,
  filter: ClientFilter,
  page: PageRequest,
): Promise<{ clients: ClientRow[]; itemCount: number }> {
  return readList(database, scope, ofHolder, scope.tokenId, filter, page);
}

/** Lists one page of matching clients of a digital key, or of the whole platform. */
export function listAdminClients(
  database: Database,
  scope: AdministratorScope,
  tokenId: string | null,
  filter: ClientFilter,
  page: PageRequest,
): Promise<{ clients: AdminClientRow[]; itemCount: number }> {
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
