import { type Statement, statement } from '@keyfront/postgres';
import {
  type Approval,
  type Client,
  type ClientSearchField,
  type PageRequest,
  pageOffset,
} from '@keyfront/protocol';
import type { Database } from '../../database/database.ts';
import { addressPattern, composeEmailMatch, likePattern } from '../../database/queries/like-pattern.ts';
import { opaqueToPlanner } from '../../database/queries/opaque-to-planner.ts';
import type { PageRow } from '../../database/queries/page-rows.ts';
import { findMatches, type MatchingIds, type Search } from '../../database/queries/search-matches.ts';
import { StatementValues } from '../../database/queries/statement-values.ts';
import type { AdministratorScope, HolderScope } from '../../database/transactions/scope.ts';
import { adminClientColumns } from './client-approval-queries.ts';
import { clientColumns } from './client-queries.ts';
import type { AdminClientRow, ClientRow } from './client-record.ts';

export interface ClientSearch {
  readonly text: string;
  /** The fields that may contain the text. */
  readonly by: readonly ClientSearchField[];
}

export interface ClientFilter {
  readonly search: ClientSearch | null;
  readonly adminApproval: Approval | null;
  readonly isActive: boolean | null;
  readonly isKYCVerified: boolean | null;
  /** The whole address, in any case. */
  readonly email: string | null;
  readonly externalReference: string | null;
  /** By the time of creation. */
  readonly direction: 'asc' | 'desc';
}

/** The number of clients with this status. */
export type ClientCount = Pick<Client, 'adminApproval' | 'isKYCVerified' | 'isActive'> & {
  readonly clients: number;
};

/** The statements of a list in one direction. */
interface Pages<Row> {
  readonly all: Statement<PageRow<Row>>;
  /** By statuses. An index finds those with an approval, so PostgreSQL plans it for its values. */
  readonly filtered: Statement<PageRow<Row>>;
  /** By the ids that a search has found. */
  readonly found: Statement<PageRow<Row>>;
  /** By a condition on the values from $7 on. */
  matching(condition: string): Statement<PageRow<Row>>;
}

interface Listing<Row> {
  readonly asc: Pages<Row>;
  readonly desc: Pages<Row>;
  search(tokenId: string | number | null, search: ClientSearch): Search<'clients'>;
  /** Searches the one client of a digital key with this e-mail address. */
  address(tokenId: string | number | null, email: string): Search<'clients'>;
}

/**
 * Composes the statements of a list. The total comes from the counters, so a page of a large store costs no more than a
 * page of a small one. Only a search counts rows. If the page is empty, one row holds the count and no client.
 */
function listing<Row>(name: string, columns: string, owner: string, ownerOfPage = owner): Listing<Row> {
  // `clients` and `client_counters` share these column names.
  const statuses = `($4::text IS NULL OR admin_approval = $4)
    AND ($5::boolean IS NULL OR is_active = $5) AND ($6::boolean IS NULL OR is_kyc_verified = $6)`;
  const composePages = (direction: ClientFilter['direction']): Pages<Row> => {
    // LIMIT applies before the columns are built: building them for every skipped row would dominate the cost of late pages.
    const page = `ORDER BY created_at ${direction}, id ${direction} LIMIT $2 OFFSET $3`;
    const orderPage = `ORDER BY page."createdAt" ${direction}, page.id ${direction}`;
    const selectListed = (condition: string) => `
      WITH total AS MATERIALIZED (
        SELECT coalesce(sum(clients), 0)::bigint AS count FROM client_counters WHERE ${owner} AND ${condition}
      )
      SELECT total.count AS "itemCount", page.*
      FROM total
      LEFT JOIN (
        SELECT ${columns} FROM (
          -- Where nothing matches, a page would read all clients in search of it.
          SELECT * FROM clients WHERE (SELECT count FROM total) > 0 AND ${ownerOfPage} AND ${condition}
            AND archived_at IS NULL ${page}
        ) AS clients
      ) AS page ON true
      ${orderPage}`;
    const selectMatching = (condition: string) => `
      WITH matching AS (
        SELECT id, created_at FROM clients WHERE ${owner} AND ${statuses} AND archived_at IS NULL AND ${condition}
      )
      SELECT total.count AS "itemCount", page.*
      FROM (SELECT count(*) FROM matching) AS total
      LEFT JOIN (
        SELECT ${columns} FROM clients WHERE ${owner} AND id IN (SELECT id FROM matching ${page})
      ) AS page ON true
      ${orderPage}`;
    return {
      all: statement(`clients.${name}-page-${direction}`, selectListed('true'), { genericPlan: true }),
      filtered: statement(`clients.${name}-filtered-${direction}`, selectListed(statuses)),
      found: statement(`clients.${name}-found-${direction}`, selectMatching('id = ANY ($7::uuid[])'), {
        genericPlan: true,
      }),
      matching: (condition) => statement('', selectMatching(condition)),
    };
  };
  return {
    asc: composePages('asc'),
    desc: composePages('desc'),
    search: (tokenId, search) => ({
      name: `clients.${name}-search-${search.by.join('-')}`,
      selections: {
        clients: `SELECT id FROM clients WHERE ${owner} AND archived_at IS NULL AND ${contains(search.by, '$2', '$3')}`,
      },
      values: [tokenId, ...patternsOf(search)],
    }),
    address: (tokenId, email) => ({
      name: `clients.${name}-address`,
      selections: {
        clients: `SELECT id FROM clients WHERE ${owner} AND archived_at IS NULL AND lower(email) = lower($2)`,
      },
      values: [tokenId, email],
    }),
  };
}

/** Composes what a search compares, by the expressions of its indices. The placeholders are those of `patternsOf`. */
function contains(by: ClientSearch['by'], pattern: string, addressPart: string): string {
  const matches: Readonly<Record<ClientSearchField, string>> = {
    clientName: `first_name || ' ' || last_name ILIKE ${pattern}`,
    email: composeEmailMatch('email', pattern, addressPart),
    contactNumber: `contact_number ILIKE ${pattern}`,
  };
  return `(${by.map((field) => matches[field]).join(' OR ')})`;
}

/** The values of its placeholders. PostgreSQL accepts none that a statement does not use. */
function patternsOf({ by, text }: ClientSearch): string[] {
  return by.includes('email') ? [likePattern(text), addressPattern(text)] : [likePattern(text)];
}

const ofOneToken = ['token_id = $1', `token_id = ${opaqueToPlanner('$1')}`] as const;
const ofHolder = listing<ClientRow>('holder', clientColumns, ...ofOneToken);
const ofToken = listing<AdminClientRow>('token', adminClientColumns, ...ofOneToken);
const ofPlatform = listing<AdminClientRow>('platform', adminClientColumns, '$1::bigint IS NULL');

/** Lists one page of matching clients of the digital key, with the total count. */
export function listClients(
  database: Database,
  scope: HolderScope,
  filter: ClientFilter,
  page: PageRequest,
): Promise<PageRow<ClientRow>[]> {
  return readList(database, scope, ofHolder, scope.tokenId, filter, page);
}

/** Lists one page of matching clients of a digital key, or of the whole platform. */
export function listAdminClients(
  database: Database,
  scope: AdministratorScope,
  tokenId: string | null,
  filter: ClientFilter,
  page: PageRequest,
): Promise<PageRow<AdminClientRow>[]> {
  return readList(database, scope, tokenId === null ? ofPlatform : ofToken, tokenId, filter, page);
}

async function readList<Row>(
  database: Database,
  scope: HolderScope | AdministratorScope,
  listing: Listing<Row>,
  tokenId: string | number | null,
  { search, adminApproval, isActive, isKYCVerified, email, externalReference, direction }: ClientFilter,
  page: PageRequest,
): Promise<PageRow<Row>[]> {
  const { all, filtered, found, matching } = listing[direction];
  const place = [tokenId, page.take, pageOffset(page)];
  const statuses = [adminApproval, isActive, isKYCVerified];
  const values = [...place, ...statuses];
  if (email !== null || externalReference !== null) {
    const exact = new StatementValues(values);
    const conditions: string[] = [];
    if (email !== null) {
      const matches = await findMatches(database, scope, email, listing.address(tokenId, email));
      conditions.push(
        matches
          ? `id = ANY (${exact.add(matches.clients)}::uuid[])`
          : `lower(email) = lower(${exact.add(email)})`,
      );
    }
    if (externalReference !== null)
      conditions.push(`external_reference = ${exact.add(externalReference)} AND external_reference <> ''`);
    if (search !== null) {
      const [pattern = '', part = ''] = patternsOf(search).map((each) => exact.add(each));
      conditions.push(contains(search.by, pattern, part));
    }
    return database.query(scope, matching(conditions.join(' AND ')), exact.list);
  }
  if (search === null) {
    return statuses.every((status) => status === null)
      ? database.query(scope, all, place)
      : database.query(scope, filtered, values);
  }
  const matches = await findMatches(database, scope, search.text, listing.search(tokenId, search));
  return matches
    ? database.query(scope, found, [...values, matches.clients])
    : database.query(scope, matching(contains(search.by, '$7', '$8')), [...values, ...patternsOf(search)]);
}

/**
 * Finds the clients of the digital key whose name or e-mail contains a text. Returns null if that must be evaluated for each
 * client.
 */
export async function findClientMatches(
  database: Database,
  scope: HolderScope,
  text: string,
): Promise<MatchingIds | null> {
  const search = ofHolder.search(scope.tokenId, { text, by: ['clientName', 'email'] });
  const matches = await findMatches(database, scope, text, search);
  return matches?.clients ?? null;
}

const countOfToken = statement<ClientCount>(
  'clients.token-counters',
  `SELECT admin_approval AS "adminApproval", is_kyc_verified AS "isKYCVerified", is_active AS "isActive", clients
   FROM client_counters WHERE token_id = $1`,
);
const countOfPlatform = statement<ClientCount>(
  'clients.platform-counters',
  `SELECT admin_approval AS "adminApproval", is_kyc_verified AS "isKYCVerified", is_active AS "isActive",
     sum(clients)::bigint AS clients
   FROM client_counters GROUP BY 1, 2, 3`,
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
