import { zeroAddress } from '@keyfront/evm';
import type { RunInTransaction } from '../../database/transactions/transaction.ts';
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
  tx: RunInTransaction,
  chainId: number,
  blockNumber: number,
): Promise<void> {
  const sales = new Map<string, SaleChange>();
  for (const change of await takeChangesAbove(tx, chainId, blockNumber)) {
    if (change.kind === 'sale') sales.set(change.id, joinChanges(sales.get(change.id), change));
    else await undo(tx, change);
  }
  // Restores sales last, newest first, because whether a sale can be open depends on the restored owner.
  for (const sale of sales.values()) await restoreSale(tx, sale);
}

/** Joins two changes of a sale. Ignores the earlier one if the seller has changed the sale in between. */
function joinChanges(later: SaleChange | undefined, earlier: SaleChange): SaleChange {
  if (!later) return earlier;
  if (earlier.after !== undefined && earlier.after !== later.state) return later;
  return { ...later, state: earlier.state };
}

async function undo(tx: RunInTransaction, change: Exclude<Change, SaleChange>): Promise<void> {
  switch (change.kind) {
    case 'transaction':
      return deleteTransaction(tx, change.id);
    case 'place':
      return clearChainPlace(tx, change.id);
    case 'keys':
      return restoreKeys(tx, change.ids);
    case 'nonce':
      return restoreNonce(tx, change);
    case 'primary':
      return restorePrimary(tx, change);
    case 'owner':
      return restoreOwner(tx, change.tokenId, change.holderId, change.acquiredAt);
    case 'minted':
      return undoMint(tx, change.tokenId);
  }
}

/** Returns a digital key to an owner. Revokes the API keys and cancels the sales of the interim owner. */
async function restoreOwner(
  tx: RunInTransaction,
  tokenId: number,
  holderId: string,
  acquiredAt: Date | string,
): Promise<void> {
  const owner = await lockOwner(tx, tokenId);
  if (!owner) return;
  await revokeKeys(tx, tokenId, owner.holderId);
  await cancelOpenSales(tx, tokenId, owner.holderId, null);
  await setOwner(tx, tokenId, holderId, acquiredAt);
  await reassignPrimary(tx, owner.holderId);
}

/** A digital key in use is not deleted. It belongs to the zero address until it is minted again. */
async function undoMint(tx: RunInTransaction, tokenId: number): Promise<void> {
  const owner = await lockOwner(tx, tokenId);
  if (!owner) return;
  await restoreOwner(tx, tokenId, await ensureHolder(tx, zeroAddress), owner.acquiredAt);
  await removeUnusedToken(tx, tokenId);
}
