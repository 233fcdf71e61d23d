import { createHash } from 'node:crypto';
import type { RedisClientType } from '@redis/client';

interface RedisConnectionOptions {
  /** `redis://user:password@host:port/database`, or `rediss:` for TLS. */
  readonly url: string;
  /** Called whenever a connection or an attempt to connect fails. */
  readonly onFailure: (error: Error) => void;
  /** Called whenever Redis responds again. */
  readonly onReady: () => void;
  readonly timings?: RedisTimings | undefined;
}

export interface RedisTimings {
  /** For connecting, for the handshake, and without any reply to a connection that is in use. */
  readonly connectionTimeoutMs: number;
  readonly replyTimeoutMs: number;
  /** Pauses between attempts to connect double from the first to the longest. */
  readonly firstPauseMs: number;
  readonly maxPauseMs: number;
}

const defaultTimings: RedisTimings = {
  connectionTimeoutMs: 3000,
  replyTimeoutMs: 500,
  firstPauseMs: 100,
  maxPauseMs: 10_000,
};

/** If more commands are pending, Redis is slower than the callers. Further commands are rejected at once. */
const maxPendingCommands = 10_000;

export interface LuaScript {
  readonly source: string;
  readonly sha1: string;
}

export function defineLuaScript(source: string): LuaScript {
  return { source, sha1: createHash('sha1').update(source).digest('hex') };
}

/**
 * A connection to Redis on which nobody waits. Commands are rejected at once while there is no connection, and after
 * `replyTimeoutMs` if Redis does not reply. @redis/client reconnects; its own command timeout covers only the time until
 * a command is written, so the time until the reply is measured here.
 */
export class RedisConnection {
  readonly #options: RedisConnectionOptions;
  readonly #timings: RedisTimings;
  #client: RedisClientType | null = null;
  /** Whether a reply is overdue. Commands are rejected until one arrives or the connection is made anew. */
  #isStalled = false;
  #isClosed = false;

  constructor(options: RedisConnectionOptions) {
    this.#options = options;
    this.#timings = options.timings ?? defaultTimings;
    this.#connect().catch((error) => this.#fail(error));
  }

  get isReady(): boolean {
    return this.#client?.isReady === true && !this.#isStalled;
  }

  /** Runs a script with one key. Rejects with the error that Redis replies, or if Redis does not reply. */
  async evaluate({ source, sha1 }: LuaScript, key: string, ...args: string[]): Promise<unknown> {
    try {
      return await this.#send(['EVALSHA', sha1, '1', key, ...args]);
    } catch (error) {
      // A Redis that was restarted does not know the script.
      if (!(error instanceof Error && error.message.startsWith('NOSCRIPT'))) throw error;
      return this.#send(['EVAL', source, '1', key, ...args]);
    }
  }

  close(): void {
    this.#isClosed = true;
    this.#client?.destroy();
  }

  async #connect(): Promise<void> {
    // Loaded only where Redis is configured: it takes a good part of a second.
    const { createClient } = await import('@redis/client');
    if (this.#isClosed) return;
    const { connectionTimeoutMs } = this.#timings;
    const client: RedisClientType = createClient({
      url: this.#options.url,
      disableOfflineQueue: true,
      commandsQueueMaxLength: maxPendingCommands,
      // 0 turns the timer of the library off.
      commandOptions: { timeout: 0 },
      maintNotifications: 'disabled',
      // Keeps an idle connection from reaching the socket timeout. While a ping has no reply, no other one is sent.
      pingInterval: connectionTimeoutMs / 3,
      socket: {
        connectTimeout: connectionTimeoutMs,
        socketTimeout: connectionTimeoutMs,
        reconnectStrategy: (retries) => this.#pauseMs(retries),
      },
    });
    client.on('error', (error: Error) => this.#fail(error));
    client.on('ready', () => this.#resume());
    client.on('ping-interval', () => this.#noteReply());
    this.#client = client;
    await client.connect();
  }

  /** With jitter, so that the processes of a service do not all reconnect at the same moment. */
  #pauseMs(retries: number): number {
    const { firstPauseMs, maxPauseMs } = this.#timings;
    return Math.min(firstPauseMs * 2 ** retries, maxPauseMs) * (0.5 + Math.random() / 2);
  }

  #send(args: string[]): Promise<unknown> {
    const client = this.#client;
    if (client === null || !this.isReady) return Promise.reject(new Error('Redis is not connected'));
    const { replyTimeoutMs } = this.#timings;
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        this.#isStalled = true;
        reject(new Error(`Redis did not reply within ${replyTimeoutMs} ms`));
      }, replyTimeoutMs);
      client
        .sendCommand(args)
        .then(resolve, reject)
        .finally(() => {
          clearTimeout(timer);
          // Also after an error: if the connection is still there, Redis has replied with it.
          if (client.isReady) this.#noteReply();
        });
    });
  }

  #noteReply(): void {
    if (this.#isStalled) this.#resume();
  }

  #resume(): void {
    this.#isStalled = false;
    this.#options.onReady();
  }

  #fail(error: Error): void {
    if (!this.#isClosed) this.#options.onFailure(error);
  }
}
