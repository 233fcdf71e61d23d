import { zeroAddress } from '@keyfront/evm';
import { type ChainEvent, makeTransferKey, mapCompletedSales } from '@keyfront/evm/chain';
import { formatEther } from 'viem/utils';
import type { RunInTransaction } from '../../database/transactions/transaction.ts';
import {
  type Change,
  cancelOpenSales,
  createToken,
  ensureHolder,
  incrementNonce,
  lockOwner,
  lockSale,
  type NewTransaction,
  reassignPrimary,
  recordChange,
  recordTransaction,
  revokeKeys,
  setOwner,
  setSaleState,
} from './chain-event-queries.ts';

export interface EventBatch {
  readonly chainId: number;
  /** In lower case. */
  readonly tokenContract: string;
  readonly events: readonly ChainEvent[];
  /** The timestamp of a block. */
  readonly getBlockTime: (blockNumber: number) => Date;
  /** Whether the block can still be reorganized. */
  readonly isUndoable: boolean;
}

/** A digital key needs a planet, and none exists yet. */
class NoPlanet extends Error {
  override name = 'NoPlanet';
}

/** How an event of the marketplace moves a sale of this service, and what it is recorded as. */
const saleSteps = {
  listed: { type: 'LIST', from: ['DRAFT'], to: 'LISTED' },
  cancelled: { type: 'LIST_CANCEL', from: ['DRAFT', 'LISTED'], to: 'CANCELLED' },
  sold: { type: 'SALE', from: ['DRAFT', 'LISTED', 'CANCELLED'], to: 'SOLD' },
} as const;

/** Applies chain events in order: transactions, owners, API keys and sales. */
export async function applyEvents(tx: RunInTransaction, batch: EventBatch): Promise<void> {
  const { chainId, tokenContract, events, getBlockTime, isUndoable } = batch;
  const sold = mapCompletedSales(events);
  for (const event of events) {
    const record = async (change: Change | null): Promise<void> => {
      if (change && isUndoable) await recordChange(tx, chainId, event.place.blockNumber, change);
    };
    const occurredAt = getBlockTime(event.place.blockNumber);
    const common = { ...event.place, chainId, tokenId: event.tokenId, occurredAt };
    if (event.kind !== 'transfer') {
      const saleId = await moveSale(tx, event, record);
      const { type } = saleSteps[event.kind];
      const to = event.kind === 'sold' ? event.buyer : null;
      const price = event.kind === 'cancelled' ? null : formatEther(event.price);
      await record(
        await recordTransaction(tx, { ...common, type, from: sellerOf(event), to, price, saleId }),
      );
      continue;
    }
    const transfer = { ...common, ...toTransfer(event), price: null, saleId: null };
    const recorded = await recordTransaction(tx, transfer);
    // After a change of the marketplace contract, the reader starts again. It has applied this transfer before, and the
    // digital key may have moved on since.
    if (!recorded) continue;
    await record(recorded);
    const soldSale = sold.get(makeTransferKey(event)) ?? null;
    await moveToken(tx, event, { occurredAt, soldSale, record });
    if (event.from !== event.to) await record(await incrementNonce(tx, event.tokenId, tokenContract));
  }
}

type RecordChange = (change: Change | null) => Promise<void>;
type Transfer = Extract<ChainEvent, { kind: 'transfer' }>;
type SaleEvent = Exclude<ChainEvent, Transfer>;

/**
 * Moves a digital key to its new owner. Revokes the API keys and cancels the open sale of the former owner. The change of
 * owner is recorded last, so it is undone first, and sales, API keys and primary digital keys return to the restored owner.
 */
async function moveToken(
  tx: RunInTransaction,
  { tokenId, to }: Transfer,
  move: {
    readonly occurredAt: Date;
    /** The sale that the transfer completes. */
    readonly soldSale: string | null;
    readonly record: RecordChange;
  },
): Promise<void> {
  const { occurredAt, soldSale, record } = move;
  const owner = await lockOwner(tx, tokenId);
  const holderId = await ensureHolder(tx, to);
  if (!owner) {
    if (!(await createToken(tx, tokenId, holderId, occurredAt))) {
      throw new NoPlanet('A digital key was minted and there is no planet to put it on: create one');
    }
    await record({ kind: 'minted', tokenId });
    await record(await reassignPrimary(tx, holderId));
    return;
  }
  if (owner.holderId === holderId) return;
  const keys = await revokeKeys(tx, tokenId, owner.holderId);
  if (keys.length > 0) await record({ kind: 'keys', ids: keys });
  const ended = await cancelOpenSales(tx, tokenId, owner.holderId, soldSale);
  for (const { id, state } of ended) await record({ kind: 'sale', id, state, after: 'CANCELLED' });
  await setOwner(tx, tokenId, holderId, occurredAt);
  await record(await reassignPrimary(tx, owner.holderId));
  await record(await reassignPrimary(tx, holderId));
  await record({ kind: 'owner', tokenId, ...owner });
}

/** Sets the state of a sale of this service. Returns its id, or null if the event belongs to no such sale. */
async function moveSale(
  tx: RunInTransaction,
  event: SaleEvent,
  record: RecordChange,
): Promise<string | null> {
  const sale = await lockSale(tx, event.saleId, event.tokenId);
  // Anyone can use a known sale id on the chain, so the event counts only if it comes from the seller.
  if (!sale || sale.seller !== sellerOf(event)) return null;
  const { from, to } = saleSteps[event.kind];
  if (from.some((state) => state === sale.state)) {
    await setSaleState(tx, event.saleId, to);
    await record({ kind: 'sale', id: event.saleId, state: sale.state, after: to });
  }
  return event.saleId;
}

function sellerOf(event: SaleEvent): string {
  return event.kind === 'sold' ? event.seller : event.owner;
}

function toTransfer({ from, to }: Transfer): Pick<NewTransaction, 'type' | 'from' | 'to'> {
  if (from === zeroAddress) return { type: 'MINT', from: null, to };
  return { type: 'TRANSFER', from, to: to === zeroAddress ? null : to };
}
