import { BoundedMap } from '../bounded-map.ts';

/** Pages of more items than this are large, whatever is in them. */
const maxItems = 100;
/** Takes about a millisecond to read and to serialize. */
const maxLength = 128 * 1024;
const maxLists = 10_000;
/** How fast a list is trusted again after a large page. */
const decay = 0.9;

/**
 * Expects the size of a page before it is read, by the earlier pages of the same list. What a page costs is known only
 * afterwards: 100 items may be 50 kB or several megabytes.
 */
export class PageSizes {
  readonly #lengthPerItem = new BoundedMap<number>(maxLists);

  /** `list` names an operation and a wallet, and `items` is the number that is asked for. */
  isLarge(list: string, items: number): boolean {
    return items > maxItems || items * (this.#lengthPerItem.get(list) ?? 0) > maxLength;
  }

  record(list: string, items: number, length: number): void {
    const expected = this.#lengthPerItem.get(list) ?? 0;
    this.#lengthPerItem.set(list, Math.max(length / items, expected * decay));
  }
}
