import { formatEther } from 'viem/utils';
import type { RunInTransaction } from '../../database/transaction.ts';
import { type ChainEvent, nameTransfer, soldIn } from '../chain-event.ts';
import { zeroAddress } from '../zero-address.ts';
import {
  type Change,
  cancelOpenSales,
  ensureHolder,
  lockOwner,
  lockSale,
  makeToken,
  type NewTransaction,
  noteChange,
  recordTransaction,
  revokeKeys,
  setOwner,
  setSaleState,
  settlePrimary,
} from './event-queries.ts';

export interface FactBatch {
  readonly chainId: number;
  readonly facts: readonly ChainEvent[];
  /** When the block of a fact was made. */
  readonly timeOf: (blockNumber: number) => Date;
  /** Whether what is changed may have to be undone. */
  readonly isUndoable: boolean;
}

/** There is no planet yet, and a digital key must be on one. */
export class NoPlanet extends Error {
  override name = 'NoPlanet';
}

/** Writes what the chain says into the tables: transactions, owners, keys and sales, in the order in which it happened. */
export async function applyEvents(run: RunInTransaction, batch: FactBatch): Promise<void> {
  const { chainId, facts, timeOf, isUndoable } = batch;
  const sold = soldIn(facts);
  for (const fact of facts) {
    const note = async (change: Change | null): Promise<void> => {
      if (change && isUndoable) await noteChange(run, chainId, fact.place.blockNumber, change);
    };
    const occurredAt = timeOf(fact.place.blockNumber);
    const common = { ...fact.place, chainId, tokenId: fact.tokenId, occurredAt, price: null, saleId: null };
    switch (fact.kind) {
      case 'transfer':
        await move(run, fact, { occurredAt, soldSale: sold.get(nameTransfer(fact)) ?? null, note });
        await note(await recordTransaction(run, { ...common, ...describeTransfer(fact) }));
        break;
      case 'listed': {
        const saleId = await moveSale(run, fact, ['DRAFT'], 'LISTED', note);
        const price = formatEther(fact.price);
        await note(
          await recordTransaction(run, {
            ...common,
            type: 'LIST',
            from: fact.owner,
            to: null,
            price,
            saleId,
          }),
        );
        break;
      }
      case 'cancelled': {
        const saleId = await moveSale(run, fact, ['DRAFT', 'LISTED'], 'CANCELLED', note);
        await note(
          await recordTransaction(run, {
            ...common,
            type: 'LIST_CANCEL',
            from: fact.owner,
            to: null,
            saleId,
          }),
        );
        break;
      }
      case 'sold': {
        const saleId = await moveSale(run, fact, ['DRAFT', 'LISTED', 'CANCELLED'], 'SOLD', note);
        const price = formatEther(fact.price);
        const parties = { from: fact.seller, to: fact.buyer };
        await note(await recordTransaction(run, { ...common, type: 'SALE', ...parties, price, saleId }));
        break;
      }
    }
  }
}

type Note = (change: Change | null) => Promise<void>;
type Transfer = Extract<ChainEvent, { kind: 'transfer' }>;
type SaleFact = Exclude<ChainEvent, Transfer>;

/**
 * Gives the digital key to its new owner. What the former one had of it ends: his keys at once, his offer too. The change
 * of hands is noted last, so that it is undone first: offers, keys and primary digital keys go back to who owns it then.
 */
async function move(
  run: RunInTransaction,
  { tokenId, to }: Transfer,
  {
    occurredAt,
    soldSale,
    note,
  }: {
    readonly occurredAt: Date /** The one that the transfer completes. */;
    readonly soldSale: string | null;
    readonly note: Note;
  },
): Promise<void> {
  const owner = await lockOwner(run, tokenId);
  const holderId = await ensureHolder(run, to);
  if (!owner) {
    if (!(await makeToken(run, tokenId, holderId, occurredAt))) {
      throw new NoPlanet('A digital key was minted and there is no planet to put it on: create one');
    }
    await note({ kind: 'minted', tokenId });
    await note(await settlePrimary(run, holderId));
    return;
  }
  if (owner.holderId === holderId) return;
  const keys = await revokeKeys(run, tokenId, owner.holderId);
  if (keys.length > 0) await note({ kind: 'keys', ids: keys });
  const ended = await cancelOpenSales(run, tokenId, owner.holderId, soldSale);
  for (const { id, state } of ended) await note({ kind: 'sale', id, state, after: 'CANCELLED' });
  await setOwner(run, tokenId, holderId, occurredAt);
  await note(await settlePrimary(run, owner.holderId));
  await note(await settlePrimary(run, holderId));
  await note({ kind: 'owner', tokenId, ...owner });
}

/** Moves a sale of the service to where the chain has it; gives its id where it is one. */
async function moveSale(
  run: RunInTransaction,
  fact: SaleFact,
  from: readonly string[],
  to: string,
  note: Note,
): Promise<string | null> {
  const sale = await lockSale(run, fact.saleId, fact.tokenId);
  const party = fact.kind === 'sold' ? fact.seller : fact.owner;
  // Anybody can list anything under an id that he has seen somewhere: it is the sale of its seller or it is none.
  if (!sale || sale.seller !== party) return null;
  if (from.includes(sale.state)) {
    await setSaleState(run, fact.saleId, to);
    await note({ kind: 'sale', id: fact.saleId, state: sale.state, after: to });
  }
  return fact.saleId;
}

function describeTransfer({ from, to }: Transfer): Pick<NewTransaction, 'type' | 'from' | 'to'> {
  if (from === zeroAddress) return { type: 'MINT', from: null, to };
  return { type: 'TRANSFER', from, to: to === zeroAddress ? null : to };
}
