import { BoundedMap } from '@keyfront/bounded-map';
import { type Operation, pageRequest } from '@keyfront/protocol';
import type { ClientConnection } from '../../lib/request/client-connection.ts';
import type { ConcurrencyLimits } from '../../limits/concurrency/concurrency-limits.ts';
import type { Input } from '../input/compile-input.ts';
import { costOfResponse } from '../responses/cost-of-response.ts';

/** The work of a request that takes a place of its wallet. It returns the body of the response. */
interface Work {
  /** All credentials of a wallet share its places. */
  readonly walletAddress: string;
  readonly work: () => Promise<string | Buffer>;
  readonly connection: ClientConnection;
}

type RunWithinLimit = (input: Input, work: Work) => Promise<string | Buffer>;
type PageQuery = Parameters<typeof pageRequest>[0];

/** Whether an operation returns a page of a list. */
export function isPaged({ query }: Operation): boolean {
  return Object.hasOwn(query?.properties ?? {}, 'take');
}

/** Returns a function that runs the work of an operation in its turn. Searches and large pages have limits of their own. */
export function createLimit(
  operation: Operation,
  { searches, largePages, requests }: ConcurrencyLimits,
): RunWithinLimit {
  if (!isPaged(operation)) {
    return (_input, { walletAddress, work, connection }) =>
      requests.run(walletAddress, work, connection, costOfResponse);
  }
  const pageSizes = new PageSizes();
  return async (input, { walletAddress, work, connection }) => {
    const { take } = pageRequest(input.query as PageQuery);
    const others = pageSizes.isLarge(walletAddress, take) ? largePages : requests;
    const limiter = isSearch(input) ? searches : others;
    const body = await limiter.run(walletAddress, work, connection, costOfResponse);
    pageSizes.record(walletAddress, take, body.length);
    return body;
  };
}

function isSearch({ query }: Input): boolean {
  return Boolean((query as { readonly search?: string } | undefined)?.search);
}

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
class PageSizes {
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
