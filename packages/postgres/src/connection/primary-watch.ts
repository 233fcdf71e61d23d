import type pg from 'pg';
import { describeServer, parseServers } from './connection-url.ts';
import { PrimaryChoice, type ServerReport } from './primary-choice.ts';
import { closeSession, openSession } from './session.ts';
import { addressOf, setSuperseded } from './superseded-servers.ts';

const defaultIntervalMs = 10_000;
const timeoutMs = 2_000;

export interface PrimaryWatchOptions {
  /** Leads to PostgreSQL itself. With a single server there is nothing to watch. */
  readonly url: string;
  /** Called after each check that finds something that an operator must know. */
  readonly onConflict: (sentence: string) => void;
  readonly intervalMs?: number;
}

/** A server of the URL at the last check. */
interface Server {
  /** Host and port, as the URL names them. */
  readonly name: string;
  /** Null if it did not respond. */
  readonly found: FoundServer | null;
}

interface FoundServer extends ServerReport {
  readonly address: string;
}

/**
 * Watches the servers of a URL that names several. After a failover, the former primary may be started again as it was. Both then accept
 * writes, and each process would use the one that it finds first. `PrimaryChoice` knows which one to use.
 */
export class PrimaryWatch {
  readonly #options: PrimaryWatchOptions;
  /** Empty if there is nothing to watch. */
  readonly #urls: readonly string[];
  readonly #choice = new PrimaryChoice();
  #servers: readonly Server[] = [];
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
    return new Set(this.#primaries.map(({ found }) => found.startedAt)).size;
  }

  /** Whether servers accept writes, but none may be used, because another one was promoted after them. */
  get isSuperseded(): boolean {
    return this.count > 0 && this.#primaries.every(({ found }) => this.#choice.isSuperseded(found));
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

  get #primaries(): { readonly name: string; readonly found: FoundServer }[] {
    return this.#servers.flatMap(({ name, found }) => (found?.acceptsWrites ? [{ name, found }] : []));
  }

  async #check(): Promise<void> {
    const servers = await Promise.all(
      this.#urls.map(async (url) => ({
        name: describeServer(url),
        found: await findServer(url, this.#closing.signal),
      })),
    );
    if (this.#closing.signal.aborted) return;
    this.#servers = servers;
    const before = this.#choice.highestTimeline;
    this.#choice.observe(servers.map(({ found }) => found));
    for (const { found } of this.#primaries) setSuperseded(found.address, this.#choice.isSuperseded(found));
    const conflict = this.#describeReturn(before) ?? this.#describeConflict();
    if (conflict) this.#options.onConflict(conflict);
  }

  #describeReturn(before: number): string | null {
    if (this.#choice.highestTimeline >= before) return null;
    return (
      `${list(this.#primaries)} is used again: all servers respond, and none has the data of the server that was promoted after it ` +
      `(timeline ${before})`
    );
  }

  #describeConflict(): string | null {
    const used = this.#primaries.filter(({ found }) => !this.#choice.isSuperseded(found));
    const former = this.#primaries.filter(({ found }) => this.#choice.isSuperseded(found));
    if (former.length > 0 && used.length === 0)
      return (
        `${list(former)} is not used, because a server was promoted after it (timeline ${this.#choice.highestTimeline}) that may still ` +
        `exist: ${this.#describeDoubt()}`
      );
    if (former.length > 0)
      return `${list(former)} accepts writes although ${list(used)} was promoted after it: stop it and rebuild it as a replica`;
    if (this.count > 1)
      return `${list(used)} accept writes at the same time, and none was promoted after the other: stop the wrong one`;
    return null;
  }

  /** Says why it is not certain that the successor of the primaries is gone. */
  #describeDoubt(): string {
    const away = this.#servers.filter(({ found }) => found === null).map(({ name }) => name);
    if (away.length > 0)
      return `${away.join(' and ')} does not respond. Start that server, or remove it from DATABASE_URL if it is gone`;
    if (this.count > 1) return 'several servers accept writes. Stop all but one';
    const [primary] = this.#primaries;
    const newer = this.#servers.filter(
      ({ found }) => found && primary && found.timeline > primary.found.timeline,
    );
    if (newer.length === 0) return 'the next checks will tell';
    return `${newer.map(({ name }) => name).join(' and ')} has newer data. Promote that server, or rebuild it as a replica`;
  }
}

const list = (servers: readonly { readonly name: string; readonly found: FoundServer }[]): string =>
  servers.map(({ name, found }) => `${name} (timeline ${found.timeline})`).join(' and ');

// A server in recovery has no position to name a file for.
const readServer = `
  SELECT pg_is_in_recovery() AS "isStandby", current_setting('transaction_read_only') = 'on' AS "isReadOnly",
    CASE WHEN NOT pg_is_in_recovery()
      THEN left(pg_walfile_name(pg_current_wal_flush_lsn()), 8) END AS timeline,
    pg_postmaster_start_time()::text AS "startedAt"`;

const readTimelineOfStandby = `
  SELECT greatest(pg_control_checkpoint.timeline_id, min_recovery_end_timeline) AS timeline
  FROM pg_control_checkpoint(), pg_control_recovery()`;

/** Returns null for a server that does not respond. */
async function findServer(url: string, signal: AbortSignal): Promise<FoundServer | null> {
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
      const { rows } = await client.query<{
        isStandby: boolean;
        isReadOnly: boolean;
        timeline: string | null;
        startedAt: string;
      }>(readServer);
      const [row] = rows;
      if (!row) return null;
      return {
        address: addressOf(client),
        acceptsWrites: !row.isStandby && !row.isReadOnly,
        timeline: row.timeline === null ? await readTimeline(client) : Number.parseInt(row.timeline, 16),
        startedAt: row.startedAt,
      };
    } finally {
      await closeSession(client);
    }
  } catch {
    return null;
  }
}

async function readTimeline(client: pg.Client): Promise<number> {
  const { rows } = await client.query<{ timeline: number }>(readTimelineOfStandby);
  return rows[0]?.timeline ?? Number.POSITIVE_INFINITY;
}
