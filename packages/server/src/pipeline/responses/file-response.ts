import { Readable } from 'node:stream';
import type { Place } from '@keyfront/fair-queue';
import type { FastifyInstance, FastifyReply } from 'fastify';

/** A file that is streamed as fast as the client reads it. */
export interface FileResponse {
  readonly contentType: string;
  readonly fileName: string;
  readonly chunks: AsyncIterable<string | Buffer>;
}

export interface Download {
  /** How long the client may take to accept one slice of the file before its connection is closed. */
  readonly stallTimeoutMs: number;
  /** Released when the source of the file is closed: at its end, after an error, or when the client is gone. */
  readonly place: Place;
}

/**
 * How much a client must accept within the stall timeout. A large chunk is sent in slices, because Node does not tell
 * how much of a pending write the client has accepted.
 */
const sliceBytes = 64 * 1024;

/** After this time without any slice accepted, the place of the file counts as stalled. */
const stalledAfterMs = 1_000;

const filesBeingSent = new Set<FastifyReply>();

/**
 * Streams a file. An error before the first chunk becomes an ordinary error response. A later error resets the
 * connection, so that no client mistakes a part for the whole file.
 */
export async function sendFile(
  reply: FastifyReply,
  file: FileResponse,
  download: Download,
): Promise<FastifyReply> {
  const stream = await beginStream(reply, 'download', file.chunks, download);
  filesBeingSent.add(reply);
  reply.raw.once('close', () => filesBeingSent.delete(reply));
  return setFileHeaders(reply, file).send(stream);
}

/** Resets the connections that the app sends files to, when it can no longer wait for their clients. */
export function resetFiles(app: FastifyInstance): void {
  for (const reply of filesBeingSent) if (reply.server.server === app.server) resetConnection(reply);
}

/**
 * Ends a connection so that the client notices it. Over HTTP/1.0, which many proxies speak to their backends, a body ends with its
 * connection: only a reset tells a part from the whole. `resetAndDestroy` would wait until the client has read what was written, and
 * end the body before the reset. The flag that it sets is enough. Only a TCP connection, which has an address, can be reset.
 */
function resetConnection({ raw: { socket } }: FastifyReply): void {
  if (socket?.remoteAddress !== undefined) Object.assign(socket, { resetAndClosing: true });
  socket?.destroy();
}

/** Sends the headers of a file, for a HEAD request. */
export function sendFileHeaders(reply: FastifyReply, file: FileResponse): FastifyReply {
  return setFileHeaders(reply, file).send();
}

function setFileHeaders(reply: FastifyReply, { contentType, fileName }: FileResponse): FastifyReply {
  return reply.type(contentType).header('content-disposition', `attachment; filename="${fileName}"`);
}

/** Sends a stream that never ends, such as Server-Sent Events. An error before the first chunk becomes an ordinary error response. */
export async function sendStream(
  reply: FastifyReply,
  contentType: string,
  source: AsyncIterable<string>,
  download: Download,
): Promise<FastifyReply> {
  const stream = await beginStream(reply, 'stream', source, download);
  return setStreamHeaders(reply, contentType).send(stream);
}

/** Waits for the first chunk: an error before it becomes an ordinary error response, and gives the place back. */
async function beginStream(
  reply: FastifyReply,
  noun: 'download' | 'stream',
  source: AsyncIterable<string | Buffer>,
  { stallTimeoutMs, place }: Download,
): Promise<FileStream> {
  const chunks = source[Symbol.asyncIterator]();
  let first: IteratorResult<string | Buffer>;
  try {
    first = await chunks.next();
  } catch (error) {
    place.release();
    throw error;
  }
  const onStall = () => {
    reply.log.info({ reqId: reply.request.id }, `A ${noun} was closed because its client stopped reading`);
    resetConnection(reply);
  };
  const onFailure = () => resetConnection(reply);
  return new FileStream({ chunks, first, stallTimeoutMs, onStall, onFailure, place });
}

/** Sends the headers of a stream, for a HEAD request. */
export function sendStreamHeaders(reply: FastifyReply, contentType: string): FastifyReply {
  return setStreamHeaders(reply, contentType).send();
}

function setStreamHeaders(reply: FastifyReply, contentType: string): FastifyReply {
  // nginx would collect the response before it sends anything.
  return reply.type(contentType).header('x-accel-buffering', 'no');
}

interface FileStreamOptions extends Download {
  readonly chunks: AsyncIterator<string | Buffer>;
  readonly first: IteratorResult<string | Buffer>;
  readonly onStall: () => void;
  /** Called when the source fails, before the stream ends. */
  readonly onFailure: () => void;
}

/** Unlike a generator, it also closes its source when it is destroyed before anything was read. */
class FileStream extends Readable {
  readonly #options: FileStreamOptions;
  #next: IteratorResult<string | Buffer> | null;
  #unsent: Buffer = Buffer.alloc(0);
  #stallTimer: NodeJS.Timeout | undefined;

  constructor(options: FileStreamOptions) {
    // No slice is read ahead: the next one is requested only after the client has accepted the last one.
    super({ highWaterMark: sliceBytes });
    this.#options = options;
    this.#next = options.first;
  }

  /** Called when the client has accepted the last slice. */
  override _read(): void {
    clearTimeout(this.#stallTimer);
    this.#options.place.setStalled(false);
    this.#pushSlice().catch((error) => {
      this.#options.onFailure();
      this.destroy(error);
    });
  }

  override _destroy(error: Error | null, callback: (error: Error | null) => void): void {
    clearTimeout(this.#stallTimer);
    const { chunks, place } = this.#options;
    // Closes the source also when the client disconnects: this releases the database connection behind the chunks.
    Promise.resolve(chunks.return?.())
      .then(
        () => callback(error),
        (failure) => callback(error ?? failure),
      )
      .finally(() => place.release());
  }

  async #pushSlice(): Promise<void> {
    while (this.#unsent.length === 0) {
      const { done, value } = this.#next ?? (await this.#options.chunks.next());
      this.#next = null;
      if (done) {
        this.push(null);
        return;
      }
      this.#unsent = typeof value === 'string' ? Buffer.from(value) : value;
    }
    const slice = this.#unsent.subarray(0, sliceBytes);
    this.#unsent = this.#unsent.subarray(sliceBytes);
    this.#watchForStall();
    this.push(slice);
  }

  #watchForStall(): void {
    const { place, stallTimeoutMs, onStall } = this.#options;
    const noticeMs = Math.min(stalledAfterMs, stallTimeoutMs);
    const notice = () => {
      place.setStalled(true);
      this.#stallTimer = setTimeout(onStall, stallTimeoutMs - noticeMs).unref();
    };
    this.#stallTimer = setTimeout(notice, noticeMs).unref();
  }
}

const mediaRange = /^\s*([\w*.+-]+\/[\w*.+-]+)\s*(?:;.*?\bq=([\d.]+))?/i;

/** Whether an `Accept` header prefers this content type to JSON. */
export function prefersContent(accept: string | undefined, contentType: string): boolean {
  const { wanted, json } = readWeights(accept, contentType);
  return wanted > 0 && wanted >= json;
}

/** Whether an `Accept` header names JSON and prefers it to this content type. */
export function prefersJson(accept: string | undefined, contentType: string): boolean {
  const { wanted, json } = readWeights(accept, contentType);
  return json > wanted;
}

function readWeights(accept: string | undefined, contentType: string): { wanted: number; json: number } {
  const weights = new Map<string, number>();
  for (const range of accept?.split(',') ?? []) {
    const [, type = '', quality = '1'] = mediaRange.exec(range) ?? [];
    const name = type.toLowerCase();
    weights.set(name, Math.max(weights.get(name) ?? 0, Number(quality)));
  }
  // The more specific range wins (RFC 9110, section 12.5.1). Any type at all, `*/*`, prefers neither.
  const weightOf = (type: string) => weights.get(type) ?? weights.get(type.replace(/\/.*/, '/*')) ?? 0;
  return { wanted: weightOf(contentType), json: weightOf('application/json') };
}
