import type { RunInTransaction } from '../../database/transaction.ts';
import { zeroAddress } from '../zero-address.ts';
import {
  type Change,
  cancelOpenSales,
  deleteTransaction,
  ensureHolder,
  lockOwner,
  removeUnusedToken,
  restoreKeys,
  restorePrimary,
  restoreSale,
  revokeKeys,
  type SaleChange,
  setOwner,
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
  const sales = new Map<string, SaleChange>();
  for (const change of await takeChangesAbove(run, chainId, blockNumber)) {
    if (change.kind === 'sale') sales.set(change.id, joinChanges(sales.get(change.id), change));
    else await undo(run, change);
  }
  // Last, when everybody owns again what he owned: whether a sale can be open depends on it. The newest sale comes first.
  for (const sale of sales.values()) await restoreSale(run, sale);
}

/** A change of a sale and an earlier one as one change; without the earlier one where the seller came between. */
function joinChanges(later: SaleChange | undefined, earlier: SaleChange): SaleChange {
  if (!later) return earlier;
  if (earlier.after !== undefined && earlier.after !== later.state) return later;
  return { ...later, state: earlier.state };
}

async function undo(run: RunInTransaction, change: Exclude<Change, SaleChange>): Promise<void> {
  switch (change.kind) {
    case 'transaction':
      return deleteTransaction(run, change.id);
    case 'place':
      return takePlaceAway(run, change.id);
    case 'keys':
      return restoreKeys(run, change.ids);
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

/** A digital key that somebody has used is not removed: it belongs to nobody until it is minted again. */
async function unmint(run: RunInTransaction, tokenId: number): Promise<void> {
  const owner = await lockOwner(run, tokenId);
  if (!owner) return;
  await giveTo(run, tokenId, await ensureHolder(run, zeroAddress), owner.acquiredAt);
  await removeUnusedToken(run, tokenId);
}
