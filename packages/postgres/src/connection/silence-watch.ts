import type pg from 'pg';
import { readServerActivity, type ServerActivity } from './server-activity.ts';
import { destroySession } from './session.ts';

export interface SilenceTiming {
  readonly checkIntervalMs: number;
  /** How long a connection may owe a response before the service asks the server about it. */
  readonly silenceMs: number;
  /** How long the server may take to respond to that question. */
  readonly probeTimeoutMs: number;
}

/**
 * A connection that became silent is destroyed after at most 4.5 seconds: 1.25 until the first question, and two questions
 * without a response. Together with the longest wait in the queue of the concurrency limiter, a request gets its 503 within
 * 10 seconds.
 */
export const defaultSilenceTiming: SilenceTiming = {
  checkIntervalMs: 250,
  silenceMs: 1_000,
  probeTimeoutMs: 1_500,
};

/** One miss may be a response on its way, or a server or a process that is busy for a moment. */
const maxMisses = 2;
/** While PostgreSQL works on a slow statement, the service asks less and less often, up to this multiple of `silenceMs`. */
const maxPatience = 8;

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
  /** Since when it has been silent, or since PostgreSQL was last seen at work on the query. */
  silentSince: number;
  /** Multiplies the silence that is allowed before the next question. */
  patience: number;
  /** How often in a row the server was not seen at work on the query. */
  misses: number;
}

interface SilenceWatchOptions {
  readonly timing: SilenceTiming;
  /** Whether the process id of a connection is that of its server process. A connection pooler invents it. */
  readonly knowsServerProcesses: boolean;
  /** Called when connections were destroyed. */
  readonly onSilence: () => void;
}

/**
 * Destroys connections that will never respond. A network can lose packets silently, and TCP notices it only after
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
    const watched: Watched = { client, query: null, bytesRead: 0, silentSince: 0, patience: 1, misses: 0 };
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
    const { silenceMs, probeTimeoutMs } = this.#options.timing;
    const silent = [...this.#watched].filter(
      (watched) => measureSilence(watched) >= silenceMs * watched.patience,
    );
    const [first] = silent;
    if (!first || this.#isProbing) return;
    this.#isProbing = true;
    const { url } = first.client;
    const asked = silent.filter(({ client }) => client.url === url);
    const activity = await readServerActivity({
      url,
      applicationName: 'keyfront watch',
      processIds: asked.map(({ client }) => (client as unknown as Internals).processID),
      timeoutMs: probeTimeoutMs,
    });
    // Responses that arrived meanwhile are read first.
    await new Promise(setImmediate);
    this.#isProbing = false;
    const lost = asked.filter((watched) => measureSilence(watched) > 0 && this.#isLost(watched, activity));
    for (const { client } of lost) destroySession(client);
    if (lost.length > 0) this.#options.onSilence();
  }

  #isLost(watched: Watched, activity: ServerActivity): boolean {
    if (this.#isAtWork(watched, activity)) {
      watched.misses = 0;
      watched.silentSince = performance.now();
      watched.patience = Math.min(watched.patience * 2, maxPatience);
      return false;
    }
    watched.misses++;
    return watched.misses >= maxMisses;
  }

  #isAtWork(watched: Watched, activity: ServerActivity): boolean {
    if (activity === 'unreachable') return false;
    // Nothing says that the connection is lost. The timeout of the statement limits the wait.
    if (activity === 'unknown' || !this.#options.knowsServerProcesses) return true;
    const { processID } = watched.client as unknown as Internals;
    return activity.get(processID ?? 0) === 'active';
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
  watched.patience = 1;
  watched.misses = 0;
  return 0;
}
