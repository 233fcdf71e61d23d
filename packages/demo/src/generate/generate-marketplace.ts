import type { NftSaleState, TransactionType } from '@keyfront/protocol';
import { dayMs, formatTime, hourMs } from '../values/days.ts';
import { type Random, toHex, uuidV7 } from '../values/random.ts';
import { requireDefined } from '../values/require-defined.ts';

const currency = 'ETH';
/** The usual chain id of local development chains. */
const chainId = 31_337;
const blockMs = 12_000;
/** As long as a sale that the service creates. */
const listingDays = 30;

interface Transaction {
  readonly type: TransactionType;
  readonly tokenId: number;
  /** The index of a holder, because wallets are created when the demo is inserted. */
  readonly fromHolder?: number;
  readonly toHolder?: number;
  readonly price?: string;
  readonly saleId?: string;
}

interface Offer {
  readonly tokenId: number;
  /** The index of the seller in the list of holders. */
  readonly seller: number;
  readonly price: string;
  readonly daysAgo: number;
  /** How it ended, and when. Open sales have no end. */
  readonly state: NftSaleState;
  readonly endedDaysAgo?: number;
}

const offers: readonly Offer[] = [
  { tokenId: 1002, seller: 1, price: '0.85', daysAgo: 258, state: 'SOLD', endedDaysAgo: 241 },
  { tokenId: 2002, seller: 0, price: '1.2', daysAgo: 250, state: 'CANCELLED', endedDaysAgo: 247 },
  { tokenId: 2002, seller: 0, price: '1.084999999999999999', daysAgo: 246, state: 'SOLD', endedDaysAgo: 233 },
  { tokenId: 1001, seller: 0, price: '2.75', daysAgo: 61, state: 'CANCELLED', endedDaysAgo: 52 },
  { tokenId: 2001, seller: 1, price: '3.1415', daysAgo: 47, state: 'CANCELLED', endedDaysAgo: 30 },
  { tokenId: 2002, seller: 1, price: '1.64', daysAgo: 9, state: 'LISTED' },
  { tokenId: 1002, seller: 0, price: '1.125', daysAgo: 3, state: 'DRAFT' },
];

/**
 * Generates the history and the sales of the digital keys of the two holders. Their primary digital keys have no open sale, so
 * users can try a sale from the start.
 */
export function generateMarketplace(random: Random, midnightMs: number, holderIds: readonly string[]) {
  const timeOf = (daysAgo: number) => midnightMs - daysAgo * dayMs + random.integer(8 * hourMs, 20 * hourMs);

  function makeTransaction(time: number, transaction: Transaction) {
    const isSigned = transaction.type === 'LIST' || transaction.type === 'LIST_CANCEL';
    const place = {
      chainId: isSigned ? null : chainId,
      txHash: isSigned ? null : `0x${toHex(random.bytes(32))}`,
      logIndex: isSigned ? null : random.integer(0, 40),
      blockNumber: isSigned ? null : Math.floor((time - (midnightMs - 300 * dayMs)) / blockMs),
      origin: isSigned ? 'SIGNATURE' : 'CHAIN',
    };
    return {
      id: uuidV7(random, time),
      fromHolder: transaction.fromHolder ?? null,
      toHolder: transaction.toHolder ?? null,
      price: transaction.price ?? null,
      currency: transaction.price ? currency : null,
      saleId: transaction.saleId ?? null,
      ...place,
      occurredAt: formatTime(time),
      type: transaction.type,
      tokenId: transaction.tokenId,
    };
  }

  function makeSale({ tokenId, seller, price, daysAgo, state, endedDaysAgo }: Offer) {
    const createdAt = timeOf(daysAgo);
    const id = uuidV7(random, createdAt);
    const listedAt = createdAt + random.integer(60_000, hourMs);
    const endedAt = endedDaysAgo === undefined ? null : timeOf(endedDaysAgo);
    const row = {
      id,
      tokenId,
      sellerId: requireDefined(holderIds[seller]),
      price,
      currency,
      state,
      // An open listing shows its signature to buyers, so it has none that does not verify.
      listingSignature: endedAt === null ? null : makeSignature(random),
      cancellationSignature: state === 'CANCELLED' ? makeSignature(random) : null,
      expiresAt: formatTime(createdAt + listingDays * dayMs),
      createdAt: formatTime(createdAt),
      updatedAt: formatTime(endedAt ?? (state === 'DRAFT' ? createdAt : listedAt)),
    };
    const ofSale = { tokenId, fromHolder: seller, saleId: id };
    const steps = state === 'DRAFT' ? [] : [makeTransaction(listedAt, { type: 'LIST', ...ofSale, price })];
    if (endedAt !== null && state === 'CANCELLED')
      steps.push(makeTransaction(endedAt, { type: 'LIST_CANCEL', ...ofSale }));
    // There are two holders, so the other one is the buyer.
    if (endedAt !== null && state === 'SOLD')
      steps.push(makeTransaction(endedAt, { type: 'SALE', ...ofSale, toHolder: 1 - seller, price }));
    return { row, steps };
  }

  const beginnings = [
    makeTransaction(timeOf(290), { type: 'MINT', tokenId: 1001, toHolder: 0 }),
    makeTransaction(timeOf(288), { type: 'MINT', tokenId: 1002, toHolder: 1 }),
    makeTransaction(timeOf(285), { type: 'MINT', tokenId: 2001, toHolder: 0 }),
    makeTransaction(timeOf(284), { type: 'MINT', tokenId: 2002, toHolder: 0 }),
    makeTransaction(timeOf(262), { type: 'TRANSFER', tokenId: 2001, fromHolder: 0, toHolder: 1 }),
  ];
  const sales = offers.map(makeSale);
  const transactions = [...beginnings, ...sales.flatMap(({ steps }) => steps)];
  const acquisitions = transactions.filter(({ toHolder }) => toHolder !== null);
  return {
    nftSales: sales.map(({ row }) => row),
    transactions,
    /** By token id: when its current owner acquired it. */
    acquiredAt: new Map(acquisitions.map(({ tokenId, occurredAt }) => [tokenId, occurredAt])),
  };
}

/** Makes a random signature of 65 bytes (r, s, v), in hexadecimal, because the wallets do not exist yet. */
function makeSignature(random: Random): string {
  return toHex(random.bytes(64)) + random.pick(['1b', '1c']);
}
