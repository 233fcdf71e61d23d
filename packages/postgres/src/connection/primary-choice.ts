/** What a server has said about itself. */
export interface ServerReport {
  readonly acceptsWrites: boolean;
  /** Each promotion begins a new one, with a higher number. That of a standby is the one of the data that it has. */
  readonly timeline: number;
  /** Tells whether two addresses lead to the same server. */
  readonly startedAt: string;
}

/** How many checks in a row must agree. A server that restarts may respond as a standby before it is promoted again. */
const checksUntilCertain = 3;

/**
 * Decides which servers that accept writes may be used: those of the highest timeline that was ever seen. It is remembered, so that a
 * former primary is not used while its successor is away.
 *
 * The timeline goes back if an operator restores the cluster, or returns to the former primary. Only the operator knows that the successor
 * is gone for good. So the former primary is used again when every server has responded, none has newer data, and only one accepts
 * writes. A server that does not respond may be the successor.
 */
export class PrimaryChoice {
  #highestTimeline = 0;
  /** The only primary, in the checks in a row that have found no successor of it. */
  #candidate: string | null = null;
  #agreeing = 0;

  get highestTimeline(): number {
    return this.#highestTimeline;
  }

  /** Whether a server that accepts writes must not be used. */
  isSuperseded({ timeline }: ServerReport): boolean {
    return timeline < this.#highestTimeline;
  }

  /** Takes a report from each server, or null from one that has not responded. */
  observe(reports: readonly (ServerReport | null)[]): void {
    const primaries = reports.filter((report) => report?.acceptsWrites === true) as ServerReport[];
    this.#highestTimeline = Math.max(this.#highestTimeline, ...primaries.map(({ timeline }) => timeline));
    const candidate = this.#findOnlyPrimary(reports, primaries);
    const key = candidate && `${candidate.startedAt} ${candidate.timeline}`;
    this.#agreeing = key !== null && key === this.#candidate ? this.#agreeing + 1 : 1;
    this.#candidate = key;
    if (candidate && this.#agreeing >= checksUntilCertain) {
      this.#highestTimeline = candidate.timeline;
      this.#candidate = null;
    }
  }

  /** Returns the superseded primary, if no other server can be its successor or promoted to one. */
  #findOnlyPrimary(
    reports: readonly (ServerReport | null)[],
    primaries: readonly ServerReport[],
  ): ServerReport | null {
    const [first] = primaries;
    if (!first || !this.isSuperseded(first)) return null;
    if (primaries.some(({ startedAt }) => startedAt !== first.startedAt)) return null;
    return reports.every((report) => report !== null && report.timeline <= first.timeline) ? first : null;
  }
}
