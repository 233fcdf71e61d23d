import { describeServer, parseServers } from './connection-url.ts';
import { closeSession, openSession } from './session.ts';
import { addressOf, setSuperseded } from './superseded-servers.ts';

const defaultIntervalMs = 10_000;
const timeoutMs = 2_000;

export interface PrimaryWatchOptions {
  /** Leads to PostgreSQL itself. With a single server there is nothing to watch. */
  readonly url: string;
  /** Called after each check that finds something that an operator must mend. */
  readonly onConflict: (sentence: string) => void;
  readonly intervalMs?: number;
}

/** A server that accepts writes. */
interface Primary {
  /** Host and port, as the URL names them. */
  readonly name: string;
  readonly address: string;
  /** Each promotion begins a new one, with a higher number. */
  readonly timeline: number;
  /** Tells whether two addresses lead to the same server. */
  readonly startedAt: string;
}

/**
 * Watches the servers of a URL that names several. After a failover, the former primary may be started again as it was. Both then accept
 * writes, and each process would use the one that it finds first. The one with the highest timeline was promoted last, so the others are
 * not used.
 */
export class PrimaryWatch {
  readonly #options: PrimaryWatchOptions;
  /** Empty if there is nothing to watch. */
  readonly #urls: readonly string[];
  /** Remembered, so that the former primary is not used either while the new one is away. */
  #highestTimeline = 0;
  #primaries: readonly Primary[] = [];
  #timer: NodeJS.Timeout | undefined;
  #checking: Promise<void> | null = null;
  readonly #closing = new AbortController();

  constructor(options: PrimaryWatchOptions) {
    this.#options = options;
    const { urls, target } = parseServers(options.url);
    this.#urls = urls.length < 2 || target === 'any' ? [] : urls;
  }

  /** How many servers accepted writes at the last check. Zero with a single server, which is not checked. */
  get count(): number {
    return new Set(this.#primaries.map(({ startedAt }) => startedAt)).size;
  }

  /** Checks once before any other connection is opened, and then at intervals. */
  async start(): Promise<void> {
    if (this.#urls.length === 0) return;
    await this.check();
    const { intervalMs = defaultIntervalMs } = this.#options;
    this.#timer = setInterval(() => void this.check(), intervalMs).unref();
  }

  check(): Promise<void> {
    this.#checking ??= this.#check().finally(() => {
      this.#checking = null;
    });
    return this.#checking;
  }

  async close(): Promise<void> {
    clearInterval(this.#timer);
    this.#closing.abort();
    await this.#checking;
  }

  async #check(): Promise<void> {
    const found = await Promise.all(this.#urls.map((url) => findPrimary(url, this.#closing.signal)));
    if (this.#closing.signal.aborted) return;
    this.#primaries = found.filter((primary) => primary !== null);
    this.#highestTimeline = Math.max(
      this.#highestTimeline,
      ...this.#primaries.map(({ timeline }) => timeline),
    );
    for (const { address, timeline } of this.#primaries)
      setSuperseded(address, timeline < this.#highestTimeline);
    const conflict = this.#describeConflict();
    if (conflict) this.#options.onConflict(conflict);
  }

  #describeConflict(): string | null {
    const names = (primaries: readonly Primary[]) =>
      primaries.map(({ name, timeline }) => `${name} (timeline ${timeline})`).join(' and ');
    const used = this.#primaries.filter(({ timeline }) => timeline === this.#highestTimeline);
    const former = this.#primaries.filter(({ timeline }) => timeline < this.#highestTimeline);
    if (former.length > 0 && used.length === 0)
      return (
        `${names(former)} is not used, because a server that is away was promoted after it (timeline ${this.#highestTimeline}): ` +
        'start that server, or restart the service to continue without it'
      );
    if (former.length > 0)
      return `${names(former)} accepts writes although ${names(used)} was promoted after it: stop it and rebuild it as a replica`;
    if (this.count > 1)
      return `${names(used)} accept writes at the same time, and none was promoted after the other: stop the wrong one`;
    return null;
  }
}

// A server in recovery has no position to name a file for.
const readPrimary = `
  SELECT CASE WHEN NOT pg_is_in_recovery() AND current_setting('transaction_read_only') = 'off'
      THEN left(pg_walfile_name(pg_current_wal_flush_lsn()), 8) END AS timeline,
    pg_postmaster_start_time()::text AS "startedAt"`;

/** Returns null for a server that accepts no writes, or does not respond. */
async function findPrimary(url: string, signal: AbortSignal): Promise<Primary | null> {
  try {
    const client = await openSession({
      url,
      applicationName: 'keyfront primaries',
      settings: {},
      connectTimeoutMs: timeoutMs,
      queryTimeoutMs: timeoutMs,
      signal,
    });
    try {
      const { rows } = await client.query<{ timeline: string | null; startedAt: string }>(readPrimary);
      const [row] = rows;
      if (!row?.timeline) return null;
      return {
        name: describeServer(url),
        address: addressOf(client),
        timeline: Number.parseInt(row.timeline, 16),
        startedAt: row.startedAt,
      };
    } finally {
      await closeSession(client);
    }
  } catch {
    return null;
  }
}
