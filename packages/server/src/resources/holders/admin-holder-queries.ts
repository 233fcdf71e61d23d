import { statement } from '@keyfront/postgres';
import {
  type AdminHolder,
  type AdminHolderKey,
  type AdminHolderNft,
  maximumHolderRows,
  maximumListedTokens,
} from '@keyfront/protocol';
import type { Database } from '../../database/database.ts';
import { query } from '../../database/queries/query.ts';
import type { AdministratorScope } from '../../database/transactions/scope.ts';
import type { HolderRecord } from './holder-queries.ts';

/** A holder with counts over at most `maximumHolderRows` of their digital keys. */
export type AdminHolderRecord = HolderRecord &
  Pick<AdminHolder, 'tokenIds' | 'nftCount' | 'lastActiveAt'> &
  NonNullable<AdminHolder['counts']>;

// Statements that read change rows or sessions need `indexScansOnly`.
const clientsOf = (tokenId: string) =>
  `(SELECT coalesce(sum(clients), 0)::bigint FROM client_counters WHERE token_id = ${tokenId})`;
const ordersOf = (tokenId: string) => `(
     SELECT coalesce(sum(orders), 0)::bigint FROM (
       SELECT orders FROM order_counters WHERE token_id = ${tokenId} AND day = '-infinity'
       UNION ALL SELECT orders FROM order_counter_changes WHERE token_id = ${tokenId}
     ) AS both_kinds
   )`;
// The former owner of a digital key may have left webhooks behind.
const webhooksOf = (tokenId: string, holderId: string) =>
  `(SELECT count(*) FROM webhooks WHERE token_id = ${tokenId} AND holder_id = ${holderId})`;

/**
 * Composes the SELECT of holders from a subquery of their rows. Each row reads a bounded number of digital keys, API keys and
 * counters by index; only the number of digital keys is counted in full, in the index.
 */
const selectHolders = (rows: string, order: string) => `
   SELECT holders.id, wallet_address AS "walletAddress", email, primary_token_id AS "primaryTokenId",
     created_at AS "createdAt",
     (SELECT count(*) FROM digital_keys WHERE holder_id = holders.id) AS "nftCount",
     coalesce((
       SELECT json_agg(token_id ORDER BY token_id) FROM (
         SELECT token_id FROM digital_keys WHERE holder_id = holders.id ORDER BY token_id LIMIT ${maximumListedTokens}
       ) AS listed
     ), '[]') AS "tokenIds",
     totals.*,
     greatest(
       (SELECT max(sessions.created_at) FROM sessions
        WHERE sessions.wallet_address = holders.wallet_address AND role = 'holder'),
       (SELECT max(last_used_at) FROM (
         SELECT last_used_at FROM api_keys WHERE holder_id = holders.id
         ORDER BY api_keys.created_at DESC, api_keys.id DESC LIMIT ${maximumHolderRows}
       ) AS newest_keys)
     ) AS "lastActiveAt"
   FROM (${rows}) AS holders
   CROSS JOIN LATERAL (
     SELECT coalesce(sum(clients), 0)::bigint AS clients, coalesce(sum(orders), 0)::bigint AS orders,
       coalesce(sum(webhooks), 0)::bigint AS webhooks, coalesce(sum(api_keys), 0)::bigint AS "apiKeys"
     FROM (
       SELECT ${clientsOf('owned.token_id')} AS clients, ${ordersOf('owned.token_id')} AS orders,
         ${webhooksOf('owned.token_id', 'holders.id')} AS webhooks,
         (SELECT count(*) FROM api_keys WHERE token_id = owned.token_id AND revoked_at IS NULL
            AND holder_id = holders.id AND (expires_at IS NULL OR expires_at > now())) AS api_keys
       FROM (
         SELECT token_id FROM digital_keys WHERE holder_id = holders.id ORDER BY token_id LIMIT ${maximumHolderRows}
       ) AS owned
     ) AS counted
   ) AS totals
   ORDER BY ${order}`;

const options = { indexScansOnly: true };
const wallet = 'holders.wallet_address COLLATE "C"';
/** Greater than every id. */
const beyondIds = 'ffffffff-ffff-ffff-ffff-ffffffffffff';
/** Greater than every hexadecimal digit. */
const beyondDigits = 'g';

/** The holder of a digital key: one or none. */
export const listHoldersByToken = query<AdminHolderRecord>(
  'holders.admin-by-token',
  selectHolders(
    `SELECT * FROM holders WHERE id = (SELECT holder_id FROM digital_keys WHERE token_id = $1)
       AND starts_with(wallet_address, $2)`,
    'holders.id',
  ),
  options,
).listInScope((_scope: AdministratorScope, tokenId: string, walletPrefix: string) => [tokenId, walletPrefix]);

/** Lists holders whose wallet begins with a text, by wallet. `afterWallet`: those after this one. */
export const listHoldersByWallet = query<AdminHolderRecord>(
  'holders.admin-by-wallet',
  selectHolders(
    `SELECT * FROM holders WHERE ${wallet} > $1 AND ${wallet} >= $3 AND ${wallet} < $4 ORDER BY ${wallet} LIMIT $2`,
    wallet,
  ),
  options,
).listInScope((_scope: AdministratorScope, walletPrefix: string, afterWallet: string, take: number) => [
  afterWallet,
  take,
  walletPrefix,
  walletPrefix + beyondDigits,
]);

/** Lists holders, newest first. `afterId`: those after this one in the list. */
export const listNewestHolders = query<AdminHolderRecord>(
  'holders.admin-page',
  // Ids are UUIDs of version 7, so their order is that of creation.
  selectHolders('SELECT * FROM holders WHERE id < $1 ORDER BY id DESC LIMIT $2', 'holders.id DESC'),
  options,
).listInScope((_scope: AdministratorScope, afterId: string | null, take: number) => [
  afterId ?? beyondIds,
  take,
]);

const findOne = statement<AdminHolderRecord>(
  'holders.admin-find',
  selectHolders('SELECT * FROM holders WHERE id = $1', 'holders.id'),
  options,
);
const listNfts = statement<AdminHolderNft>(
  'holders.admin-nfts',
  `SELECT owned.token_id AS "tokenId", owned.token_id IS NOT DISTINCT FROM holders.primary_token_id AS "isPrimary",
     json_build_object('number', planets.number, 'name', planets.name) AS planet, acquired_at AS "acquiredAt",
     ${clientsOf('owned.token_id')} AS clients, ${ordersOf('owned.token_id')} AS orders,
     ${webhooksOf('owned.token_id', 'holders.id')} AS webhooks
   FROM (
     SELECT * FROM digital_keys WHERE holder_id = $1 ORDER BY token_id LIMIT ${maximumHolderRows}
   ) AS owned
   JOIN holders ON holders.id = owned.holder_id
   JOIN planets ON planets.id = owned.planet_id
   ORDER BY owned.token_id`,
  options,
);
const listKeys = statement<AdminHolderKey>(
  'holders.admin-keys',
  `SELECT id, key_name AS "keyName", token_id AS "tokenId",
     CASE WHEN revoked_at IS NOT NULL THEN 'REVOKED' WHEN expires_at <= now() THEN 'EXPIRED' ELSE 'ACTIVE' END AS state,
     created_at AS "createdAt", expires_at AS "expiresAt", last_used_at AS "lastUsedAt", revoked_at AS "revokedAt"
   FROM api_keys WHERE holder_id = $1 ORDER BY created_at DESC, id DESC LIMIT ${maximumHolderRows}`,
);

/** Finds a holder with their digital keys, by token id, and their newest API keys. */
export async function findAdminHolder(
  database: Database,
  scope: AdministratorScope,
  holderId: string,
): Promise<(AdminHolderRecord & { nfts: AdminHolderNft[]; keys: AdminHolderKey[] }) | null> {
  const [[holder], nfts, keys] = await Promise.all([
    database.query(scope, findOne, [holderId]),
    database.query(scope, listNfts, [holderId]),
    database.query(scope, listKeys, [holderId]),
  ]);
  return holder ? { ...holder, nfts, keys } : null;
}
