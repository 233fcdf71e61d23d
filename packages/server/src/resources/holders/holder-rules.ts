import type { Holder, OwnedNft, SignedInHolder } from '@keyfront/protocol';
import { ApiError, notFound } from '../../api-error.ts';
import { toChecksumAddress } from '../../chain/checksum-address.ts';
import type { Database } from '../../database/database.ts';
import type { AdministratorScope, HolderScope, Scope } from '../../database/scope.ts';
import type { RunInTransaction } from '../../database/transaction.ts';
import {
  enterHolder,
  findHolder,
  type HolderRecord,
  type LockedToken,
  listOwnedNfts,
  lockTokens,
  setPrimaryNft,
  tokenExists,
} from './holder-queries.ts';

export { lockTokens };

/** The scope of a holder; an administrator has no digital key to act for. */
export function requireHolder(scope: Scope): HolderScope {
  if (scope.role === 'holder') return scope;
  throw new ApiError('HOLDER_REQUIRED');
}

/** The scope of an administrator, which the routes for administrators have made sure of. */
export function requireAdministrator(scope: Scope): AdministratorScope {
  if (scope.role === 'administrator') return scope;
  throw new ApiError('ADMINISTRATOR_REQUIRED');
}

export async function getHolder(database: Database, scope: HolderScope): Promise<Holder> {
  const holder = await findHolder(database, scope);
  if (!holder) throw notFound('Holder');
  return describe(holder);
}

export function getOwnedNfts(database: Database, scope: HolderScope): Promise<OwnedNft[]> {
  return listOwnedNfts(database, scope);
}

/**
 * Lets in the holder whose wallet has proved itself, within the transaction that proved it, with the digital keys that
 * were locked in it; null when there are none. An e-mail that was given becomes the holder's.
 */
export async function signInHolder(
  run: RunInTransaction,
  walletAddress: string,
  tokens: readonly LockedToken[],
  email: string | null,
): Promise<SignedInHolder | null> {
  const holder = await enterHolder(run, tokens, email);
  return (
    holder && { ...holder, walletAddress: toChecksumAddress(walletAddress), tokenIds: [...holder.tokenIds] }
  );
}

/** Makes another of the holder's digital keys the primary one. API keys stay with the digital key they were made for. */
export async function changePrimaryNft(
  database: Database,
  scope: HolderScope,
  tokenId: number,
): Promise<Holder> {
  const holder = await setPrimaryNft(database, scope, tokenId);
  if (holder) return describe(holder);
  throw await refuseToken(database, tokenId);
}

/** The 403 or 404 for a digital key that is not the caller's. */
export async function refuseToken(database: Database, tokenId: number): Promise<ApiError> {
  if (await tokenExists(database, tokenId)) {
    return new ApiError('NOT_OWNED', { message: 'The digital key belongs to another holder' });
  }
  return notFound('Digital key');
}

function describe({ primaryTokenId, walletAddress, ...holder }: HolderRecord): Holder {
  return {
    ...holder,
    walletAddress: toChecksumAddress(walletAddress),
    primaryNft: primaryTokenId === null ? null : { tokenId: primaryTokenId },
  };
}
