import { ConcurrencyLimiter, type ConcurrencyLimiterOptions } from './concurrency-limiter.ts';

/** A limiter for each kind of work, so that slow work never waits in front of quick work. The callers are wallets. */
export interface ConcurrencyLimits {
  /** Reads and changes. */
  readonly requests: ConcurrencyLimiter;
  /** Pages of a list that are expected to be large. Each occupies the event loop for many times as long as a request. */
  readonly largePages: ConcurrencyLimiter;
  /** Lists with a search. The number of rows that they read has no bound. */
  readonly searches: ConcurrencyLimiter;
  /** Files for holders. Each occupies a database connection until the client has read it. */
  readonly exports: ConcurrencyLimiter;
  /** Files for administrators, which use connections of another role. */
  readonly adminExports: ConcurrencyLimiter;
  /** Uploads, whose files are decoded. Each takes a processor and the memory of a decoded image. */
  readonly uploads: ConcurrencyLimiter;
  /** Streams that never end. Each occupies an HTTP connection and some memory. */
  readonly streams: ConcurrencyLimiter;
}

interface Resources {
  /** Database connections for requests of holders. */
  readonly poolSize: number;
  /** Database connections for streams of each role. */
  readonly streamPoolSize: number;
}

/** Enough that the next statement is always ready for a free connection, and not so many that they delay each other. */
const requestsPerConnection = 4;
const maxQueued = 1_000;
const maxExportsQueued = 100;

/** Creates the limits of one process. Every caller can use most places while nobody else needs them, but never all. */
export function createConcurrencyLimits(
  { poolSize, streamPoolSize }: Resources,
  timing: Pick<ConcurrencyLimiterOptions, 'queueTimeoutMs' | 'rejectionDelayMs'> = {},
): ConcurrencyLimits {
  const maxConcurrent = requestsPerConnection * poolSize;
  const exportOptions: ConcurrencyLimiterOptions = {
    name: 'export',
    maxConcurrent: streamPoolSize,
    maxConcurrentPerCaller: Math.max(1, streamPoolSize - 1),
    maxQueued: maxExportsQueued,
    maxQueuedPerCaller: 10,
    // Shorter than the timeout of most clients. A waiting export occupies nothing but its HTTP connection.
    queueTimeoutMs: 15_000,
    ...timing,
  };
  return {
    requests: new ConcurrencyLimiter({
      name: 'concurrency',
      maxConcurrent,
      maxConcurrentPerCaller: Math.ceil(maxConcurrent * 0.75),
      maxQueued,
      maxQueuedPerCaller: maxQueued / 2,
      ...timing,
    }),
    largePages: new ConcurrencyLimiter({
      name: 'large-page',
      // They share the event loop with everything else, so more at a time would only delay the others.
      maxConcurrent: 2,
      maxConcurrentPerCaller: 1,
      maxQueued: maxQueued / 2,
      maxQueuedPerCaller: 50,
      ...timing,
    }),
    searches: new ConcurrencyLimiter({
      name: 'search',
      // A part of the connections, so that searches of several callers leave some to everything else.
      maxConcurrent: Math.max(2, Math.floor(poolSize / 3)),
      maxConcurrentPerCaller: 1,
      maxQueued: maxQueued / 2,
      maxQueuedPerCaller: 50,
      ...timing,
    }),
    exports: new ConcurrencyLimiter(exportOptions),
    adminExports: new ConcurrencyLimiter(exportOptions),
    streams: new ConcurrencyLimiter({
      name: 'stream',
      maxConcurrent: 2_000,
      maxConcurrentPerCaller: 50,
      // A place is rarely free soon.
      maxQueued: 100,
      maxQueuedPerCaller: 5,
      queueTimeoutMs: 1_000,
      ...timing,
    }),
    uploads: new ConcurrencyLimiter({
      name: 'upload',
      maxConcurrent: 1,
      maxQueued: 20,
      maxQueuedPerCaller: 10,
      queueTimeoutMs: 15_000,
      ...timing,
    }),
  };
}
