import pg from 'pg';
import { closeSession, destroySession, openSession } from './session.ts';

export interface SilenceTiming {
  readonly checkIntervalMs: number;
  /** How long a connection may owe a response before the service asks the server about it. */
  readonly silenceMs: number;
  /** How long the server may take to respond to that question. */
  readonly probeTimeoutMs: number;
}

/**
 * A silent connection is found out after at most 4.5 seconds. Together with the longest wait in the queue of the concurrency
 * limiter, a request gets its 503 within 10 seconds.
 */
export const defaultSilenceTiming: SilenceTiming = {
  checkIntervalMs: 500,
  silenceMs: 1_500,
  probeTimeoutMs: 2_000,
};

/** A connection of a pool. */
export interface WatchedClient extends pg.ClientBase {
  /** The server that it is connected to. */
  readonly url: string;
}

/** The parts of pg that its published types leave out. */
interface Internals {
  readonly processID: number | null;
  /** The query whose response is due. */
  readonly _activeQuery: object | null;
  readonly connection: { readonly stream: { readonly bytesRead: number } };
}

interface Watched {
  readonly client: WatchedClient;
  query: object | null;
  bytesRead: number;
  silentSince: number;
  /** Whether the server does not work on the query although no response has arrived. */
  isForgotten: boolean;
}

interface SilenceWatchOptions {
  readonly timing: SilenceTiming;
  /** Whether the process id of a connection is that of its server process. A connection pooler invents it. */
  readonly knowsServerProcesses: boolean;
  /** Called when connections were destroyed. */
  readonly onSilence: () => void;
}

/**
 * Destroys connections that will never respond. A network can lose packets without a word, and TCP notices it only after
 * many minutes. A slow statement is silent too, so a new connection asks PostgreSQL whether it works on the query. No query
 * pays for this: the watch only looks at the open connections from time to time.
 */
export class SilenceWatch {
  readonly #options: SilenceWatchOptions;
  readonly #watched = new Set<Watched>();
  #timer: NodeJS.Timeout | null = null;
  #isProbing = false;

  constructor(options: SilenceWatchOptions) {
    this.#options = options;
  }

  /** Watches a client until its connection ends. */
  add(client: WatchedClient): void {
    const watched: Watched = { client, query: null, bytesRead: 0, silentSince: 0, isForgotten: false };
    this.#watched.add(watched);
    this.#timer ??= setInterval(() => void this.#check(), this.#options.timing.checkIntervalMs).unref();
    client.once('end', () => {
      this.#watched.delete(watched);
      if (this.#watched.size === 0) this.close();
    });
  }

  close(): void {
    if (this.#timer) clearInterval(this.#timer);
    this.#timer = null;
  }

  async #check(): Promise<void> {
    const silent = [...this.#watched].filter(
      (watched) => measureSilence(watched) >= this.#options.timing.silenceMs,
    );
    const [first] = silent;
    if (!first || this.#isProbing) return;
    this.#isProbing = true;
    const { url } = first.client;
    const found = await this.#findLost(
      url,
      silent.filter(({ client }) => client.url === url),
    );
    this.#isProbing = false;
    // A response may have arrived meanwhile.
    const lost = found.filter((watched) => measureSilence(watched) > 0);
    for (const { client } of lost) destroySession(client);
    if (lost.length > 0) this.#options.onSilence();
  }

  /** Returns the connections on which no response will arrive: all of them if the server does not respond at all. */
  async #findLost(url: string, silent: readonly Watched[]): Promise<Watched[]> {
    const states = await this.#readStates(url, silent);
    if (states === 'unreachable') return [...silent];
    if (states === 'unknown' || !this.#options.knowsServerProcesses) return [];
    return silent.filter((watched) => {
      const { processID } = watched.client as unknown as Internals;
      // The response may be on its way, so the connection is given up only when the next check finds the same.
      const wasForgotten = watched.isForgotten;
      watched.isForgotten = states.get(processID ?? 0) !== 'active';
      return wasForgotten && watched.isForgotten;
    });
  }

  async #readStates(
    url: string,
    silent: readonly Watched[],
  ): Promise<'unreachable' | 'unknown' | ReadonlyMap<number, string>> {
    const { probeTimeoutMs } = this.#options.timing;
    let probe: pg.Client | null = null;
    const abort = AbortSignal.timeout(probeTimeoutMs);
    const destroy = () => probe && destroySession(probe);
    abort.addEventListener('abort', destroy);
    try {
      probe = await openSession({
        url,
        applicationName: 'keyfront watch',
        settings: null,
        signal: abort,
      });
      const { rows } = await probe.query<{ pid: number; state: string }>(
        'SELECT pid, state FROM pg_stat_activity WHERE pid = ANY($1)',
        [silent.map(({ client }) => (client as unknown as Internals).processID)],
      );
      return new Map(rows.map(({ pid, state }) => [pid, state]));
    } catch (error) {
      // For example too many connections: the server responds, so it is alive.
      return error instanceof pg.DatabaseError ? 'unknown' : 'unreachable';
    } finally {
      abort.removeEventListener('abort', destroy);
      if (probe) void closeSession(probe);
    }
  }
}

/** Returns for how long a connection has been silent although a response is due, as seen by the calls of this function. */
function measureSilence(watched: Watched): number {
  const { _activeQuery: query, connection } = watched.client as unknown as Internals;
  const { bytesRead } = connection.stream;
  if (query && query === watched.query && bytesRead === watched.bytesRead) {
    return performance.now() - watched.silentSince;
  }
  watched.query = query;
  watched.bytesRead = bytesRead;
  watched.silentSince = performance.now();
  watched.isForgotten = false;
  return 0;
}
