import { databaseJobs } from '../../packages/server/src/boot/jobs/start-jobs.ts';
import type { Database } from '../../packages/server/src/database/database.ts';

type Work = (database: Database, signal: AbortSignal) => Promise<unknown>;

/** Runs the jobs of the service at random moments, beside whatever else is going on. */
export class JobRunner {
  readonly #database: Database;
  readonly #random: (below: number) => number;
  readonly #jobs: readonly Work[];
  readonly #running = new Set<Promise<void>>();
  readonly #failures: unknown[] = [];

  /** Further jobs are what a process runs at intervals outside of `jobs/start-jobs.ts`. */
  constructor(database: Database, random: (below: number) => number, further: readonly Work[] = []) {
    this.#database = database;
    this.#random = random;
    this.#jobs = [...databaseJobs.map(({ work }) => work), ...further];
  }

  /** Starts one of the jobs, now and then, and does not wait for it. */
  mayStart(oneIn: number): void {
    if (this.#random(oneIn) > 0) return;
    const work = this.#jobs[this.#random(this.#jobs.length)];
    if (!work) return;
    const running = work(this.#database, new AbortController().signal)
      .catch((error) => {
        this.#failures.push(error);
      })
      .then(() => {
        this.#running.delete(running);
      });
    this.#running.add(running);
  }

  /** Waits for all that was started. Throws when one of them has failed. */
  async finish(): Promise<void> {
    await Promise.all(this.#running);
    if (this.#failures.length > 0) throw new AggregateError(this.#failures, 'A job has failed');
  }
}
