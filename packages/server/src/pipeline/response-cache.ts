import { BoundedMap } from '../bounded-map.ts';

interface ResponseCacheOptions {
  /** Whether every change is sure to be heard of; while it is not, nothing is given out again. */
  readonly isTrusted: () => boolean;
  /** For answers with something in them that changes without a notice. */
  readonly longestAgeMs?: number;
  readonly now?: () => number;
}

interface Kept {
  readonly madeAt: number;
  readonly making: Promise<string>;
  body: string | null;
}

// ClusterHooks they bound the memory: 32 MB, or twice as much where characters need two bytes.
const mostAnswers = 256;
const longestAnswer = 128 * 1024;

/** As many spellings of addresses as one would meet, and no more of those that somebody makes up. */
const mostAddresses = 1_024;
const longestAddress = 256;

/** Answers that are the same for every caller, as text: with it Node sends head and body in one piece. */
export class ResponseCache {
  readonly #options: ResponseCacheOptions;
  readonly #answers = new BoundedMap<Kept>(mostAnswers);
  /** What addresses ask for: whoever has been told once need not read the same address again. */
  readonly #namesByAddress = new BoundedMap<string>(mostAddresses);

  constructor(options: ResponseCacheOptions) {
    this.#options = options;
  }

  /** The answer to a request that was read before, if it is at hand. */
  find(address: string): string | undefined {
    const name = this.#namesByAddress.get(address);
    return name === undefined ? undefined : (this.#findKept(name)?.body ?? undefined);
  }

  /**
   * The answer that has this name, however the address was spelled that asks for it. It is made now, unless it is being
   * made already: many who ask at once ask the database once.
   */
  answer(address: string, name: string, make: () => Promise<string>): Promise<string> {
    if (address.length <= longestAddress) this.#namesByAddress.set(address, name);
    const found = this.#findKept(name);
    if (found) return found.making;
    const kept: Kept = { madeAt: this.#now(), making: make(), body: null };
    // What is forgotten while it is being made is out of the map, and so reaches only those who asked before.
    this.#answers.set(name, kept);
    kept.making.then(
      (body) => {
        kept.body = body;
        if (body.length > longestAnswer) this.#remove(name, kept);
      },
      () => this.#remove(name, kept),
    );
    return kept.making;
  }

  forgetAll(): void {
    this.#answers.clear();
  }

  #findKept(name: string): Kept | undefined {
    if (!this.#options.isTrusted()) return undefined;
    const kept = this.#answers.get(name);
    const { longestAgeMs = Number.POSITIVE_INFINITY } = this.#options;
    return kept && this.#now() - kept.madeAt < longestAgeMs ? kept : undefined;
  }

  #remove(name: string, kept: Kept): void {
    if (this.#answers.get(name) === kept) this.#answers.delete(name);
  }

  #now(): number {
    return (this.#options.now ?? performance.now.bind(performance))();
  }
}
