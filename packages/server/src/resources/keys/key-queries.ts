import { statement } from '@keyfront/postgres';
import { type ApiKey, type PageRequest, pageOffset } from '@keyfront/protocol';
import { waitUntilAcknowledged } from '../../database/coordination/change-feed.ts';
import type { Database } from '../../database/database.ts';
import { listAt } from '../../database/queries/list-at.ts';
import type { PageRow } from '../../database/queries/page-rows.ts';
import { query } from '../../database/queries/query.ts';
import { rowExists } from '../../database/queries/row-exists.ts';
import { type HolderScope, systemScope } from '../../database/transactions/scope.ts';
import type { RunInTransaction } from '../../database/transactions/transaction.ts';

/** What a holder gives a key. */
export type KeySettings = Pick<ApiKey, 'signatures' | 'scopes' | 'expiresAt' | 'allowedNetworks'>;

/** A row of `api_keys`. The public key is SubjectPublicKeyInfo in DER. */
export type KeyRecord = Omit<ApiKey, 'apiKey'> & { readonly publicKey: Buffer };

/** The holder that a live key acts for. */
export interface KeyHolder extends KeySettings, Pick<KeyRecord, 'tokenId' | 'publicKey'> {
  readonly keyId: string;
  readonly holderId: string;
  readonly walletAddress: string;
}

const settings = `signatures, scopes, expires_at AS "expiresAt", allowed_networks AS "allowedNetworks"`;
const columns = `id, key_name AS "keyName", public_key AS "publicKey", token_id AS "tokenId", ${settings},
  created_at AS "createdAt", last_used_at AS "lastUsedAt", revoked_at AS "revokedAt", successor_id AS "successorId"`;

// A key is invalid as soon as its holder no longer owns the digital key, even before it is revoked.
const owner = `SELECT api_keys.id AS "keyId", api_keys.holder_id AS "holderId", api_keys.token_id AS "tokenId",
     holders.wallet_address AS "walletAddress", public_key AS "publicKey", ${settings}
   FROM api_keys
   JOIN digital_keys ON digital_keys.token_id = api_keys.token_id AND digital_keys.holder_id = api_keys.holder_id
   JOIN holders ON holders.id = api_keys.holder_id
   WHERE revoked_at IS NULL`;
const findOwner = statement<KeyHolder>('keys.owner', `${owner} AND fingerprint = decode($1, 'hex')`);
const findOwnerById = statement<KeyHolder>('keys.owner-by-id', `${owner} AND api_keys.id = $1`);

const fingerprintLength = 64;

/** Finds the holder of a live key by its fingerprint in hex, or by its id. */
export async function findKeyHolder(database: Database, name: string): Promise<KeyHolder | null> {
  const find = name.length === fingerprintLength ? findOwner : findOwnerById;
  const rows = await database.query(systemScope, find, [name]);
  return rows[0] ?? null;
}

const lockHolder = statement('keys.lock-holder', 'SELECT FROM holders WHERE id = $1 FOR NO KEY UPDATE');
// Not `now()`: while this transaction waited for the lock, another one may have ended a key.
const countLive = statement<{ count: number }>(
  'keys.count-live',
  `SELECT count(*) FROM api_keys
   WHERE holder_id = $1 AND revoked_at IS NULL AND (expires_at IS NULL OR expires_at > clock_timestamp())`,
);

/** Counts the live keys of the holder and locks the holder, so that no other transaction adds a key. */
export async function countLiveKeys(tx: RunInTransaction, { holderId }: HolderScope): Promise<number> {
  // One pipelined query. The count runs after the lock is granted, so it sees keys added by transactions that held it.
  const [, [live]] = await Promise.all([tx(lockHolder, [holderId]), tx(countLive, [holderId])]);
  if (!live) throw new Error('The live keys were not counted');
  return live.count;
}

export type NewKeyRecord = KeySettings & Pick<KeyRecord, 'tokenId' | 'keyName' | 'publicKey'>;

/** Inserts a key. Returns null if the public key is already registered. */
export const insertKey = query<KeyRecord>(
  'keys.insert',
  `INSERT INTO api_keys (holder_id, token_id, key_name, public_key, signatures, scopes, expires_at, allowed_networks)
   VALUES ($1, $2, $3, $4, $5, $6, $7, $8)
   ON CONFLICT (fingerprint) DO NOTHING RETURNING ${columns}`,
).find((scope: HolderScope, key: NewKeyRecord) => {
  const { tokenId, keyName, publicKey, signatures, scopes, expiresAt, allowedNetworks } = key;
  return [scope.holderId, tokenId, keyName, publicKey, signatures, scopes, expiresAt, allowedNetworks];
});

const isLive =
  'revoked_at IS NULL AND successor_id IS NULL AND (expires_at IS NULL OR expires_at > clock_timestamp())';

/**
 * Finds a key that is about to get a successor. Returns null if it is not in the scope. Does not lock the key. Whoever
 * changes a key takes the lock of announcements first, and would wait for a transaction that has the key and wants to
 * announce.
 */
export const findKeyToReplace = query<KeyRecord & { isLive: boolean }>(
  'keys.find-to-replace',
  `SELECT ${columns}, ${isLive} AS "isLive" FROM api_keys WHERE id = $1`,
).find((id: string) => [id]);

/** Names the successor of a live key, and tells when the key ends. Returns null if it has ended or has a successor already. */
export const replaceKey = query<{ endsAt: string }>(
  'keys.replace',
  `UPDATE api_keys SET successor_id = $2,
     expires_at = least(expires_at, date_trunc('milliseconds', now() + $3 * interval '1 second'))
   WHERE id = $1 AND ${isLive} RETURNING expires_at AS "endsAt"`,
).find((id: string, successorId: string, overlapSeconds: number) => [id, successorId, overlapSeconds]);

/** Lists one page of keys of the holder, newest first, including revoked keys. */
export const listKeys = query<PageRow<KeyRecord>>(
  'keys.page',
  `SELECT total.count AS "itemCount", page.*
   FROM (SELECT count(*) FROM api_keys WHERE holder_id = $1) AS total
   LEFT JOIN (
     SELECT ${columns} FROM api_keys WHERE holder_id = $1 ORDER BY created_at DESC, id DESC LIMIT $2 OFFSET $3
   ) AS page ON true`,
).listInScope((scope: HolderScope, page: PageRequest) => [scope.holderId, page.take, pageOffset(page)]);

/** Lists keys as they were at these snapshots, in their order. */
export const listKeysAt = listAt<KeyRecord>(
  'keys.list-at',
  `SELECT number, ${columns}
   FROM unnest($1::jsonb[]) WITH ORDINALITY AS wanted (snapshot, number)
   CROSS JOIN LATERAL jsonb_populate_record(NULL::api_keys, wanted.snapshot) AS api_keys`,
);

// Each field has a flag beside it, because null is one of its values. A key that has ended stays so, and one with a
// successor may only end earlier.
const changeSettings = statement<KeyRecord & { change: number }>(
  'keys.change-settings',
  `UPDATE api_keys SET key_name = coalesce($2, key_name), signatures = coalesce($3, signatures),
     scopes = CASE WHEN $4 THEN $5 ELSE scopes END, expires_at = CASE WHEN $6 THEN $7 ELSE expires_at END,
     allowed_networks = CASE WHEN $8 THEN $9 ELSE allowed_networks END
   WHERE id = $1 AND (NOT $6 OR revoked_at IS NULL AND (expires_at IS NULL OR expires_at > now())
     AND (successor_id IS NULL OR $7 <= expires_at))
   RETURNING ${columns}, currval('key_changes') AS change`,
);
const revoke = statement<KeyRecord & { change: number }>(
  'keys.revoke',
  `UPDATE api_keys SET revoked_at = coalesce(revoked_at, now()), revoked_by = 'HOLDER' WHERE id = $1
   RETURNING ${columns}, currval('key_changes') AS change`,
);

/** Renames a key. Returns null if it is not in the scope. */
export const renameKey = query<KeyRecord>(
  'keys.rename',
  `UPDATE api_keys SET key_name = $2 WHERE id = $1 RETURNING ${columns}`,
).findInScope((_scope: HolderScope, id: string, keyName: string) => [id, keyName]);

/**
 * Changes the settings of a key, and waits until every process applies them. What is left out stays as it is. Returns null if
 * the key is not in the scope, or may not get this `expiresAt`.
 */
export async function changeKeySettings(
  database: Database,
  scope: HolderScope,
  id: string,
  change: Partial<KeySettings> & { readonly keyName?: string },
): Promise<KeyRecord | null> {
  const { keyName = null, signatures = null, scopes, expiresAt, allowedNetworks } = change;
  const values = [scopes, expiresAt, allowedNetworks].flatMap((value) => [
    value !== undefined,
    value ?? null,
  ]);
  const [changed] = await database.query(scope, changeSettings, [id, keyName, signatures, ...values]);
  if (!changed) return null;
  const { change: number, ...key } = changed;
  await waitUntilAcknowledged(database, number);
  return key;
}

/** Finds a key of the holder, also one that has ended. */
export const findKey = query<KeyRecord>(
  'keys.find',
  `SELECT ${columns} FROM api_keys WHERE id = $1`,
).findInScope((_scope: HolderScope, id: string) => [id]);

/**
 * Revokes a key and waits until no process accepts it any more. Returns null if it is not in the scope. The revocation is final,
 * also for a key that a transfer has revoked before: a reorganization that drops the transfer does not restore it.
 */
export async function revokeKeyRow(
  database: Database,
  scope: HolderScope,
  id: string,
): Promise<KeyRecord | null> {
  const [revoked] = await database.query(scope, revoke, [id]);
  if (!revoked) return null;
  const { change, ...key } = revoked;
  await waitUntilAcknowledged(database, change);
  return key;
}

const revokeAsOperator = statement<{ id: string; change: number }>(
  'keys.revoke-as-operator',
  `UPDATE api_keys SET revoked_at = coalesce(revoked_at, now()), revoked_by = 'OPERATOR'
   WHERE id = $1::uuid OR fingerprint = decode($2, 'hex')
     OR revoked_at IS NULL AND holder_id = (SELECT id FROM holders WHERE wallet_address = $3)
   RETURNING id, currval('key_changes') AS change`,
);

/** Names one key by its id or its fingerprint in hex, or all live keys of a wallet. */
export interface KeyName {
  readonly id?: string;
  readonly fingerprint?: string;
  readonly wallet?: string;
}

/** Revokes keys of any holder, and waits until no process accepts them any more. Returns their ids. */
export async function revokeKeysAsOperator(database: Database, name: KeyName): Promise<string[]> {
  const { id = null, fingerprint = null, wallet = null } = name;
  const revoked = await database.query(systemScope, revokeAsOperator, [id, fingerprint, wallet]);
  const changes = revoked.map(({ change }) => change);
  if (changes.length > 0) await waitUntilAcknowledged(database, Math.max(...changes));
  return revoked.map((key) => key.id);
}

/** Whether the key exists, in any scope. */
export const keyExists = rowExists('api_keys');

/** Updates the last use of all given keys in one statement. */
export const writeKeyUses = query(
  'keys.write-uses',
  `UPDATE api_keys SET last_used_at = greatest(last_used_at, used.at)
   FROM unnest($1::uuid[], $2::timestamptz[]) AS used (id, at) WHERE api_keys.id = used.id`,
).runAsSystem((uses: ReadonlyMap<string, number>) => [
  [...uses.keys()],
  [...uses.values()].map((ms) => new Date(ms)),
]);
