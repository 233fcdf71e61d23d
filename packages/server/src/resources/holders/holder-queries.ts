import { statement } from '@keyfront/postgres';
import type { Holder, OwnedNft, SignedInHolder } from '@keyfront/protocol';
import { query } from '../../database/queries/query.ts';
import type { HolderScope } from '../../database/transactions/scope.ts';
import type { RunInTransaction } from '../../database/transactions/transaction.ts';

/** A row of `holders`. The wallet is in lower case. */
export type HolderRecord = Omit<Holder, 'primaryNft'> & { readonly primaryTokenId: number | null };

/** A digital key whose owner is locked until the transaction ends. */
export type LockedToken = Pick<HolderScope, 'holderId' | 'tokenId'>;

const columns = `id, wallet_address AS "walletAddress", email, primary_token_id AS "primaryTokenId",
  created_at AS "createdAt"`;

/** Finds the holder of a wallet (in lower case), to identify a caller. */
export const findHolderByWallet = query<HolderRecord>(
  'holders.by-wallet',
  `SELECT ${columns} FROM holders WHERE wallet_address = $1`,
).findAsSystem((walletAddress: string) => [walletAddress]);

export const findHolder = query<HolderRecord>(
  'holders.find',
  `SELECT ${columns} FROM holders WHERE id = $1`,
).findInScope((scope: HolderScope) => [scope.holderId]);

const selectOwnedNfts = `SELECT digital_keys.token_id AS "tokenId",
     digital_keys.token_id IS NOT DISTINCT FROM holders.primary_token_id AS "isPrimary",
     json_build_object('number', planets.number, 'name', planets.name) AS planet, acquired_at AS "acquiredAt"
   FROM digital_keys
   JOIN holders ON holders.id = digital_keys.holder_id
   JOIN planets ON planets.id = digital_keys.planet_id
   WHERE digital_keys.holder_id = $1`;

/** Lists the digital keys of the holder, by token id. */
export const listOwnedNfts = query<OwnedNft>(
  'holders.nfts',
  `${selectOwnedNfts} ORDER BY digital_keys.token_id`,
).listInScope((scope: HolderScope) => [scope.holderId]);

/** Lists the digital key of the holder that something belongs to, or none. The scope hides what belongs to their other ones. */
export const listNftsThatOwn = query<OwnedNft>(
  'holders.nfts-that-own',
  `${selectOwnedNfts} AND digital_keys.token_id IN (
     SELECT token_id FROM orders WHERE id = $2
     UNION ALL SELECT token_id FROM clients WHERE id = $2 AND archived_at IS NULL
     UNION ALL SELECT token_id FROM sales WHERE id = $2
     UNION ALL SELECT token_id FROM webhooks WHERE id = $2)`,
).listAsSystem(({ holderId }: HolderScope, id: string) => [holderId, id]);

/** Sets the primary digital key. Returns null if the holder does not own the token. */
export const setPrimaryNft = query<HolderRecord>(
  'holders.set-primary',
  // The foreign key would reject a token of another holder with a database error. The condition allows a clear 403 or 404.
  `UPDATE holders SET primary_token_id = $2
   WHERE id = $1 AND EXISTS (SELECT FROM digital_keys WHERE token_id = $2 AND holder_id = $1) RETURNING ${columns}`,
).findInScope((scope: HolderScope, tokenId: number) => [scope.holderId, tokenId]);

/** Whether the token exists, whoever owns it. */
export const tokenExists = query<{ token: number }>(
  'holders.token-exists',
  'SELECT token_id AS token FROM digital_keys WHERE token_id = $1',
).hasAsSystem((tokenId: number) => [tokenId]);
const updateAtSignIn = statement<object>(
  'holders.record-sign-in',
  `UPDATE holders SET email = coalesce($2, email), primary_token_id = coalesce(primary_token_id, $3)
   WHERE id = $1 AND (email IS DISTINCT FROM coalesce($2, email) OR primary_token_id IS NULL)`,
);
const findAtSignIn = statement<{ email: string | null; primaryTokenId: number }>(
  'holders.find-at-sign-in',
  'SELECT email, primary_token_id AS "primaryTokenId" FROM holders WHERE id = $1',
);

/** Locks the digital keys of a wallet and lists them by token id. */
export const lockTokens = query<LockedToken>(
  'holders.lock-tokens',
  `SELECT holders.id AS "holderId", digital_keys.token_id AS "tokenId"
   FROM holders JOIN digital_keys ON digital_keys.holder_id = holders.id
   WHERE holders.wallet_address = $1 ORDER BY digital_keys.token_id FOR KEY SHARE OF digital_keys`,
).list((walletAddress: string) => [walletAddress]);

/**
 * Updates a holder at sign-in: sets the e-mail if one is given, and makes the first digital key the primary one if none is
 * set. Returns null without digital keys.
 */
export async function recordSignIn(
  tx: RunInTransaction,
  tokens: readonly LockedToken[],
  email: string | null,
): Promise<Omit<SignedInHolder, 'walletAddress'> | null> {
  const [first] = tokens;
  if (!first) return null;
  const [, [holder]] = await Promise.all([
    tx(updateAtSignIn, [first.holderId, email, first.tokenId]),
    tx(findAtSignIn, [first.holderId]),
  ]);
  return holder ? { id: first.holderId, ...holder, tokenIds: tokens.map(({ tokenId }) => tokenId) } : null;
}
