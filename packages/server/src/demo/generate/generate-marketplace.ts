import { dayMs, hourMs } from '../../lib/utc-days.ts';
import type { NftSaleRow, TransactionRow } from './demo-data.ts';
import { formatTime } from './format-time.ts';
import { type Random, toHex, uuidV7 } from './random.ts';

const currency = 'ETH';
/** The usual chain id of local development chains. */
const chainId = 31_337;
const blockMs = 12_000;
/** As long as a sale that the service creates. */
const listingDays = 30;

interface DemoMarketplace {
  readonly nftSales: NftSaleRow[];
  readonly transactions: TransactionRow[];
  /** By token id: when its current owner acquired it. */
  readonly acquiredAt: ReadonlyMap<number, string>;
}

interface Offer {
  readonly tokenId: number;
  /** The index of the seller in the list of holders. */
  readonly seller: number;
  readonly price: string;
  readonly daysAgo: number;
}

type TransactionInput = Pick<TransactionRow, 'type' | 'tokenId'> &
  Partial<Omit<TransactionRow, 'id' | 'occurredAt'>>;

/**
 * Generates the history and the sales of the digital keys of the two holders. Their primary digital keys have no open sale, so
 * users can try a sale from the start.
 */
export function generateMarketplace(
  random: Random,
  midnightMs: number,
  holderIds: readonly string[],
): DemoMarketplace {
  const nftSales: NftSaleRow[] = [];
  const transactions: TransactionRow[] = [];
  const acquiredAt = new Map<number, string>();

  const timeOf = (daysAgo: number) => midnightMs - daysAgo * dayMs + random.integer(8 * hourMs, 20 * hourMs);

  function record(transaction: TransactionInput, time: number): void {
    transactions.push({
      id: uuidV7(random, time),
      fromHolder: null,
      toHolder: null,
      price: null,
      currency: transaction.price ? currency : null,
      saleId: null,
      chainId: null,
      txHash: null,
      logIndex: null,
      blockNumber: null,
      origin: 'SIGNATURE',
      occurredAt: formatTime(time),
      ...transaction,
    });
  }

  function recordOnChain(transaction: TransactionInput, time: number): void {
    const blockNumber = Math.floor((time - (midnightMs - 300 * dayMs)) / blockMs);
    const place = {
      chainId,
      txHash: `0x${toHex(random.bytes(32))}`,
      logIndex: random.integer(0, 40),
      blockNumber,
      origin: 'CHAIN' as const,
    };
    record({ ...transaction, ...place }, time);
    acquiredAt.set(transaction.tokenId, formatTime(time));
  }

  function addSale(offer: Offer, end: { state: NftSaleRow['state']; daysAgo?: number }): void {
    const createdAt = timeOf(offer.daysAgo);
    const sellerId = holderIds[offer.seller];
    if (!sellerId) throw new RangeError(`There is no holder ${offer.seller}`);
    const id = uuidV7(random, createdAt);
    const listedAt = createdAt + random.integer(60_000, hourMs);
    const isListed = end.state !== 'DRAFT';
    const endedAt = end.daysAgo === undefined ? null : timeOf(end.daysAgo);
    nftSales.push({
      id,
      tokenId: offer.tokenId,
      sellerId,
      price: offer.price,
      currency,
      state: end.state,
      // An open listing shows its signature to buyers, so it has none that does not verify.
      listingSignature: isListed && endedAt !== null ? makeSignature(random) : null,
      cancellationSignature: end.state === 'CANCELLED' ? makeSignature(random) : null,
      expiresAt: formatTime(createdAt + listingDays * dayMs),
      createdAt: formatTime(createdAt),
      updatedAt: formatTime(endedAt ?? (isListed ? listedAt : createdAt)),
    });
    const { tokenId, seller: fromHolder, price } = offer;
    if (isListed) record({ type: 'LIST', tokenId, fromHolder, price, saleId: id }, listedAt);
    if (endedAt === null) return;
    if (end.state === 'CANCELLED') record({ type: 'LIST_CANCEL', tokenId, fromHolder, saleId: id }, endedAt);
    // There are two holders, so the other one is the buyer.
    const sale = { type: 'SALE', tokenId, fromHolder, toHolder: 1 - fromHolder, price, saleId: id } as const;
    if (end.state === 'SOLD') recordOnChain(sale, endedAt);
  }

  recordOnChain({ type: 'MINT', tokenId: 1001, toHolder: 0 }, timeOf(290));
  recordOnChain({ type: 'MINT', tokenId: 1002, toHolder: 1 }, timeOf(288));
  recordOnChain({ type: 'MINT', tokenId: 2001, toHolder: 0 }, timeOf(285));
  recordOnChain({ type: 'MINT', tokenId: 2002, toHolder: 0 }, timeOf(284));
  recordOnChain({ type: 'TRANSFER', tokenId: 2001, fromHolder: 0, toHolder: 1 }, timeOf(262));

  addSale({ tokenId: 1002, seller: 1, price: '0.85', daysAgo: 258 }, { state: 'SOLD', daysAgo: 241 });
  addSale({ tokenId: 2002, seller: 0, price: '1.2', daysAgo: 250 }, { state: 'CANCELLED', daysAgo: 247 });
  addSale(
    { tokenId: 2002, seller: 0, price: '1.084999999999999999', daysAgo: 246 },
    { state: 'SOLD', daysAgo: 233 },
  );
  addSale({ tokenId: 1001, seller: 0, price: '2.75', daysAgo: 61 }, { state: 'CANCELLED', daysAgo: 52 });
  addSale({ tokenId: 2001, seller: 1, price: '3.1415', daysAgo: 47 }, { state: 'CANCELLED', daysAgo: 30 });
  addSale({ tokenId: 2002, seller: 1, price: '1.64', daysAgo: 9 }, { state: 'LISTED' });
  addSale({ tokenId: 1002, seller: 0, price: '1.125', daysAgo: 3 }, { state: 'DRAFT' });

  return { nftSales, transactions, acquiredAt };
}

/** Makes a random signature of 65 bytes (r, s, v), because the wallets do not exist yet. */
function makeSignature(random: Random): string {
  return toHex(random.bytes(64)) + random.pick(['1b', '1c']);
}
