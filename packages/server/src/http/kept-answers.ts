import { BoundedMap } from '../bounded-map.ts';

interface KeptAnswersOptions {
  /** Whether every change is sure to be heard of; while it is not, nothing is given out again. */
  readonly isTrusted: () => boolean;
  /** For answers with something in them that changes without a notice. */
  readonly longestAgeMs?: number;
  readonly now?: () => number;
}

interface Kept {
  readonly madeAt: number;
  readonly making: Promise<Buffer>;
  body: Buffer | null;
}

// Together they bound the memory: 32 MB.
const mostAnswers = 256;
const largestBytes = 128 * 1024;

/** Answers that are the same for every caller, as bytes that only need to be sent. */
export class KeptAnswers {
  readonly #options: KeptAnswersOptions;
  readonly #answers = new BoundedMap<Kept>(mostAnswers);

  constructor(options: KeptAnswersOptions) {
    this.#options = options;
  }

  /** The answer if it is at hand, else undefined. */
  find(name: string): Buffer | undefined {
    return this.#findKept(name)?.body ?? undefined;
  }

  /** The answer, made now unless it is being made already: many who ask at once ask the database once. */
  answer(name: string, make: () => Promise<Buffer>): Promise<Buffer> {
    const found = this.#findKept(name);
    if (found) return found.making;
    const kept: Kept = { madeAt: this.#now(), making: make(), body: null };
    // What is forgotten while it is being made is out of the map, and so reaches only those who asked before.
    this.#answers.set(name, kept);
    kept.making.then(
      (body) => {
        kept.body = body;
        if (body.length > largestBytes) this.#remove(name, kept);
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
