import { toChecksumAddress } from '@keyfront/evm';
import type { Holder, SignedInHolder } from '@keyfront/protocol';
import type { Database } from '../../database/database.ts';
import type { HolderScope } from '../../database/transactions/scope.ts';
import type { RunInTransaction } from '../../database/transactions/transaction.ts';
import { ApiError, notFound } from '../../lib/errors/api-error.ts';
import {
  findHolder,
  type HolderRecord,
  type LockedToken,
  lockTokens,
  recordSignIn,
  setPrimaryNft,
  tokenExists,
} from './holder-queries.ts';

// Sign-in needs this query; nouns import only the rules of other nouns.
export { lockTokens };

export async function getHolder(database: Database, scope: HolderScope): Promise<Holder> {
  const holder = await findHolder(database, scope);
  if (!holder) throw notFound('Holder');
  return toHolder(holder);
}

/**
 * Signs in the holder of a verified wallet, in the transaction that consumed the nonce and locked the tokens. Returns null
 * without tokens. A given e-mail replaces the stored one.
 */
export async function signInHolder(
  tx: RunInTransaction,
  walletAddress: string,
  tokens: readonly LockedToken[],
  email: string | null,
): Promise<SignedInHolder | null> {
  const holder = await recordSignIn(tx, tokens, email);
  return holder && { ...holder, walletAddress: toChecksumAddress(walletAddress) };
}

/** Changes the primary digital key. Existing API keys stay with the digital key they were created for. */
export async function changePrimaryNft(
  database: Database,
  scope: HolderScope,
  tokenId: number,
): Promise<Holder> {
  const holder = await setPrimaryNft(database, scope, tokenId);
  if (holder) return toHolder(holder);
  return throwTokenNotOwned(database, tokenId);
}

/** Throws the 403 for a digital key of another holder, or the 404 for one that does not exist. */
export async function throwTokenNotOwned(database: Database, tokenId: number): Promise<never> {
  if (await tokenExists(database, tokenId)) {
    throw new ApiError('NOT_OWNED', { message: 'The digital key belongs to another holder' });
  }
  throw notFound('Digital key');
}

/** Describes a holder as responses show it. */
export function toHolder({ primaryTokenId, walletAddress, ...holder }: HolderRecord): Holder {
  return {
    ...holder,
    walletAddress: toChecksumAddress(walletAddress),
    primaryNft: primaryTokenId === null ? null : { tokenId: primaryTokenId },
  };
}
