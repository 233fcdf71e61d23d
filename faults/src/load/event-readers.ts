import { setMaxListeners } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import { Keyfront, type KeyfrontEvent } from '@keyfront/sdk';
import type { Random } from '../random.ts';
import type { HolderCredentials } from './holders.ts';

/** What a reader has seen, in the order in which it came. */
export interface EventReading {
  readonly name: string;
  readonly events: readonly SeenEvent[];
  /**
   * The reader began at this moment, and sees what happens afterwards. Null if it did not begin yet. `-Infinity`: it
   * sees the whole trial.
   */
  readonly openedAt: number | null;
}

export interface SeenEvent {
  readonly id: string;
  readonly type: string;
  readonly orderId: string;
}

export interface EventReaders {
  readonly readings: readonly EventReading[];
  /** Adds a reader that sees only what happens from now on. */
  addLateReader(): void;
  /** Closes the connection of one reader, which connects again. */
  cutOff(): void;
  /** Ends all readers. Throws if one of them has failed. */
  stop(): Promise<void>;
}

export interface ReaderParts {
  readonly origins: readonly string[];
  readonly holder: HolderCredentials;
  readonly random: Random;
  /** The event before the first one of the trial. */
  readonly after: string;
}

const streamCount = 3;
const listPauseMs = 50;
const type = 'order.*,payment.*';

/**
 * Starts readers that follow the events of orders: streams, and one that reads the list again and again. Each
 * connection goes to a random instance.
 */
export function startEventReaders({ origins, holder, random, after }: ReaderParts): EventReaders {
  const { apiKey, secretKey } = holder;
  const ending = new AbortController();
  const { signal } = ending;
  // Every reader listens to it.
  setMaxListeners(0, signal);
  const readings: EventReading[] = [];
  const cuts = new Map<number, AbortController>();
  const running: Promise<void>[] = [];

  /** A client whose every connection goes to a random instance. */
  const open = (fetchAny: typeof fetch) =>
    new Keyfront({
      baseUrl: `${origins[0]}/api/v1`,
      apiKey,
      secretKey,
      // A bound signature would name one instance.
      signatures: 'simple',
      backoff: { baseMs: 50, capMs: 200 },
      maxAttempts: 100_000,
      deadlineMs: 600_000,
      fetch: fetchAny,
      // The pauses of streams as well: the trial waits for its readers.
      runtime: { delay: (ms, aborted) => delay(Math.min(ms, 200), undefined, { signal: aborted }) },
    });
  const throughAny = (
    init: RequestInit | undefined,
    input: Parameters<typeof fetch>[0],
    cut?: AbortSignal,
  ) => {
    const { pathname, search } = new URL(String(input));
    const signals = [cut, init?.signal].flatMap((each) => each ?? []);
    return fetch(random.pick(origins) + pathname + search, { ...init, signal: AbortSignal.any(signals) });
  };
  const run = (work: () => Promise<void>) => {
    const reading = work().catch((error) => {
      if (!signal.aborted) throw error;
    });
    // Reported by `stop`.
    reading.catch(() => undefined);
    running.push(reading);
  };
  const add = (name: string, openedAt: number | null) => {
    const reading = { name, openedAt, events: [] as SeenEvent[] };
    readings.push(reading);
    return reading;
  };

  for (let number = 0; number < streamCount; number++) {
    const { events } = add(`stream ${number}`, Number.NEGATIVE_INFINITY);
    const keyfront = open((input, init) => {
      const cut = new AbortController();
      cuts.set(number, cut);
      return throughAny(init, input, cut.signal);
    });
    run(async () => {
      for await (const event of keyfront.events.stream({ type, after }, { signal })) events.push(see(event));
    });
  }
  run(async () => {
    const { events } = add('list', Number.NEGATIVE_INFINITY);
    const keyfront = open((input, init) => throughAny(init, input));
    for (let position = after; ; ) {
      const page = await keyfront.events.list({ type, after: position, take: 50 }, { signal });
      events.push(...page.events.map(see));
      position = page.nextAfter ?? position;
      if (!page.hasMore) await delay(listPauseMs, undefined, { signal });
    }
  });
  return {
    readings,
    addLateReader: () => {
      const reading = add(`late stream ${readings.length}`, null);
      const keyfront = open(async (input, init) => {
        const response = await throughAny(init, input);
        // The first bytes carry the position at which the stream begins. This reader is cut off by killed processes
        // only, so it has received them.
        return watchFirstBytes(response, () => {
          reading.openedAt ??= performance.now();
        });
      });
      run(async () => {
        for await (const event of keyfront.events.stream({ type }, { signal }))
          reading.events.push(see(event));
      });
    },
    cutOff: () => cuts.get(random.below(streamCount))?.abort(),
    stop: async () => {
      ending.abort();
      await Promise.all(running);
    },
  };
}

function see({ id, type, data }: KeyfrontEvent): SeenEvent {
  return { id, type, orderId: String(data.id) };
}

function watchFirstBytes(response: Response, onFirstBytes: () => void): Response {
  if (!response.ok || !response.body) return response;
  const watch = new TransformStream<Uint8Array, Uint8Array>({
    transform: (chunk, controller) => {
      controller.enqueue(chunk);
      onFirstBytes();
    },
  });
  return new Response(response.body.pipeThrough(watch), {
    status: response.status,
    headers: response.headers,
  });
}
