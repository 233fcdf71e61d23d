import { BoundedMap } from '@keyfront/signatures/bounded-map';

/** Pages of more items than this are large, whatever is in them. */
const maxItems = 100;
/** Takes about a millisecond to read and to serialize. */
const maxLength = 128 * 1024;
const maxWallets = 10_000;
/** How fast a wallet is trusted again after a large page. */
const decay = 0.9;

/**
 * Predicts the page size of one list from the wallet's earlier pages. What a page costs is known only afterwards: 100 items may be 50 kB or several megabytes.
 */
export class PageSizes {
  readonly #lengthPerItem = new BoundedMap<number>(maxWallets);

  /** `items` is the number that is asked for. */
  isLarge(wallet: string, items: number): boolean {
    return items > maxItems || items * (this.#lengthPerItem.get(wallet) ?? 0) > maxLength;
  }

  record(wallet: string, items: number, length: number): void {
    const expected = this.#lengthPerItem.get(wallet) ?? 0;
    this.#lengthPerItem.set(wallet, Math.max(length / items, expected * decay));
  }
}
