import { connect, isIP, type Socket } from 'node:net';
import { connect as connectSecurely } from 'node:tls';
import { encodeCommand, RedisError, type Reply, ReplyReader } from './resp.ts';

interface RedisConnectionOptions {
  /** `redis://user:password@host:port/number`, or `rediss:` for TLS. */
  readonly url: string;
  /** Each time a connection, or the try to make one, fails. */
  readonly onFailure: (error: Error) => void;
  readonly onReady: () => void;
  readonly timings?: RedisTimings;
}

export interface RedisTimings {
  /** For the connection and the greeting. */
  readonly connectMs: number;
  /** For the answer to one command. */
  readonly answerMs: number;
  /** Between two tries to connect, at first and at most. */
  readonly pauseMs: number;
  readonly longestPauseMs: number;
}

const defaultTimings: RedisTimings = {
  connectMs: 3000,
  answerMs: 500,
  pauseMs: 100,
  longestPauseMs: 10_000,
};

/** More than this many in flight, and Redis is slower than we ask: what comes then is refused at once. */
const longestQueue = 10_000;

interface Command {
  readonly deadlineMs: number;
  readonly resolve: (reply: Reply) => void;
  readonly reject: (error: Error) => void;
}

/** One connection to Redis that is made again when it breaks. Nothing waits for it: a call without one is refused. */
export class RedisConnection {
  readonly #url: URL;
  readonly #options: RedisConnectionOptions;
  readonly #timings: RedisTimings;
  #socket: Socket | null = null;
  #inFlight: Command[] = [];
  #isReady = false;
  #failedTries = 0;
  #timer: NodeJS.Timeout | undefined;
  #isClosed = false;

  constructor(options: RedisConnectionOptions) {
    this.#url = new URL(options.url);
    this.#options = options;
    this.#timings = options.timings ?? defaultTimings;
    this.#connect();
  }

  get isReady(): boolean {
    return this.#isReady;
  }

  /** Rejects with what Redis says against the command, or when there is no Redis. */
  async call(...words: string[]): Promise<Reply> {
    if (!this.#isReady) throw new Error('There is no connection to Redis');
    if (this.#inFlight.length >= longestQueue) throw new Error('Redis is too slow');
    return this.#send(words);
  }

  close(): void {
    this.#isClosed = true;
    this.#drop(new Error('The connection to Redis was closed'));
  }

  #connect(): void {
    const socket = this.#openSocket();
    const reader = new ReplyReader();
    this.#socket = socket;
    const fail = (error: Error) => {
      if (this.#socket === socket) this.#fail(error);
    };
    socket.setNoDelay(true);
    socket.once(this.#url.protocol === 'rediss:' ? 'secureConnect' : 'connect', () => {
      this.#greet().then(() => {
        if (this.#socket === socket) this.#begin();
      }, fail);
    });
    socket.on('data', (piece) => {
      try {
        for (const reply of reader.read(piece)) this.#settle(reply);
      } catch (error) {
        fail(error instanceof Error ? error : new Error(String(error)));
      }
    });
    socket.on('error', fail);
    socket.on('close', () => fail(new Error('Redis closed the connection')));
    this.#setTimer(() => fail(new Error('Redis did not answer in time')), this.#timings.connectMs);
  }

  #openSocket(): Socket {
    // Brackets around an IPv6 address belong to the URL.
    const host = this.#url.hostname.replace(/^\[|\]$/g, '') || '127.0.0.1';
    const port = Number(this.#url.port || 6379);
    return this.#url.protocol === 'rediss:'
      ? connectSecurely({ host, port, ...(isIP(host) ? {} : { servername: host }) })
      : connect({ host, port });
  }

  async #greet(): Promise<void> {
    const { username, password, pathname } = this.#url;
    const greetings: string[][] = [];
    if (password !== '') greetings.push(['AUTH', username, password].map(decodeURIComponent).filter(Boolean));
    if (/^\/\d+$/.test(pathname)) greetings.push(['SELECT', pathname.slice(1)]);
    // A server that needs a password says so only now.
    greetings.push(['PING']);
    await Promise.all(greetings.map((words) => this.#send(words)));
  }

  #begin(): void {
    this.#isReady = true;
    this.#failedTries = 0;
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#options.onReady();
  }

  #send(words: readonly string[]): Promise<Reply> {
    return new Promise((resolve, reject) => {
      const deadlineMs = performance.now() + this.#timings.answerMs;
      this.#inFlight.push({ deadlineMs, resolve, reject });
      this.#socket?.write(encodeCommand(words));
      if (this.#timer === undefined) this.#watch(this.#timings.answerMs);
    });
  }

  /** Answers come in the order of the commands: when the oldest is overdue, all behind it are stuck too. */
  #watch(ms: number): void {
    this.#setTimer(() => {
      this.#timer = undefined;
      const [oldest] = this.#inFlight;
      if (!oldest) return;
      const leftMs = oldest.deadlineMs - performance.now();
      if (leftMs > 0) this.#watch(leftMs);
      else this.#fail(new Error('Redis did not answer in time'));
    }, ms);
  }

  #settle(reply: Reply): void {
    const command = this.#inFlight.shift();
    if (reply instanceof RedisError) command?.reject(reply);
    else command?.resolve(reply);
  }

  #fail(error: Error): void {
    if (this.#isClosed) return;
    this.#drop(error);
    const pauseMs = Math.min(this.#timings.pauseMs * 2 ** this.#failedTries, this.#timings.longestPauseMs);
    this.#failedTries += 1;
    // Not all processes at the same moment.
    this.#setTimer(() => this.#connect(), pauseMs * (0.5 + Math.random() / 2));
    this.#options.onFailure(error);
  }

  #drop(error: Error): void {
    const socket = this.#socket;
    this.#socket = null;
    this.#isReady = false;
    clearTimeout(this.#timer);
    socket?.destroy();
    for (const command of this.#inFlight.splice(0)) command.reject(error);
  }

  #setTimer(then: () => void, ms: number): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(then, ms);
    this.#timer.unref();
  }
}
