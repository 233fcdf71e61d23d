import type { RunInTransaction } from '../../database/transaction.ts';
import { zeroAddress } from '../zero-address.ts';
import {
  type Change,
  cancelOpenSales,
  deleteTransaction,
  ensureHolder,
  lockOwner,
  removeToken,
  restoreKeys,
  restorePrimary,
  revokeKeys,
  setOwner,
  setSaleState,
  settlePrimary,
  takeChangesAbove,
  takePlaceAway,
} from './event-queries.ts';

/** Undoes all that the blocks above this one changed. */
export async function undoFactsAbove(
  run: RunInTransaction,
  chainId: number,
  blockNumber: number,
): Promise<void> {
  for (const change of await takeChangesAbove(run, chainId, blockNumber)) await undo(run, change);
}

async function undo(run: RunInTransaction, change: Change): Promise<void> {
  switch (change.kind) {
    case 'transaction':
      return deleteTransaction(run, change.id);
    case 'place':
      return takePlaceAway(run, change.id);
    case 'keys':
      return restoreKeys(run, change.ids);
    case 'sale':
      return setSaleState(run, change.id, change.state);
    case 'primary':
      return restorePrimary(run, change);
    case 'owner':
      return giveTo(run, change.tokenId, change.holderId, change.acquiredAt);
    case 'minted':
      return unmint(run, change.tokenId);
  }
}

/** Whoever had the digital key meanwhile loses what he made of it. */
async function giveTo(
  run: RunInTransaction,
  tokenId: number,
  holderId: string,
  acquiredAt: Date | string,
): Promise<void> {
  const owner = await lockOwner(run, tokenId);
  if (!owner) return;
  await revokeKeys(run, tokenId, owner.holderId);
  await cancelOpenSales(run, tokenId, owner.holderId, null);
  await setOwner(run, tokenId, holderId, acquiredAt);
  await settlePrimary(run, owner.holderId);
}

/** A digital key that somebody has built on cannot vanish: it belongs to nobody until it is minted again. */
async function unmint(run: RunInTransaction, tokenId: number): Promise<void> {
  const owner = await lockOwner(run, tokenId);
  if (!owner) return;
  await giveTo(run, tokenId, await ensureHolder(run, zeroAddress), owner.acquiredAt);
  await removeToken(run, tokenId);
}
