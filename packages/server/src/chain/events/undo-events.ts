import type { RunInTransaction } from '../../database/transactions/transaction.ts';
import { zeroAddress } from '../zero-address.ts';
import {
  type Change,
  cancelOpenSales,
  clearChainPlace,
  deleteTransaction,
  ensureHolder,
  lockOwner,
  reassignPrimary,
  removeUnusedToken,
  restoreKeys,
  restoreNonce,
  restorePrimary,
  restoreSale,
  revokeKeys,
  type SaleChange,
  setOwner,
  takeChangesAbove,
} from './chain-event-queries.ts';

/** Undoes all changes of the blocks above this one. */
export async function undoEventsAbove(
  run: RunInTransaction,
  chainId: number,
  blockNumber: number,
): Promise<void> {
  const sales = new Map<string, SaleChange>();
  for (const change of await takeChangesAbove(run, chainId, blockNumber)) {
    if (change.kind === 'sale') sales.set(change.id, joinChanges(sales.get(change.id), change));
    else await undo(run, change);
  }
  // Restores sales last, newest first, because whether a sale can be open depends on the restored owner.
  for (const sale of sales.values()) await restoreSale(run, sale);
}

/** Joins two changes of a sale. Ignores the earlier one if the seller has changed the sale in between. */
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
      return clearChainPlace(run, change.id);
    case 'keys':
      return restoreKeys(run, change.ids);
    case 'nonce':
      return restoreNonce(run, change);
    case 'primary':
      return restorePrimary(run, change);
    case 'owner':
      return restoreOwner(run, change.tokenId, change.holderId, change.acquiredAt);
    case 'minted':
      return undoMint(run, change.tokenId);
  }
}

/** Returns a digital key to an owner. Revokes the API keys and cancels the sales of the interim owner. */
async function restoreOwner(
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
  await reassignPrimary(run, owner.holderId);
}

/** A digital key in use is not deleted. It belongs to the zero address until it is minted again. */
async function undoMint(run: RunInTransaction, tokenId: number): Promise<void> {
  const owner = await lockOwner(run, tokenId);
  if (!owner) return;
  await restoreOwner(run, tokenId, await ensureHolder(run, zeroAddress), owner.acquiredAt);
  await removeUnusedToken(run, tokenId);
}
