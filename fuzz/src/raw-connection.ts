import { connect, type Socket } from 'node:net';

/** A response as it came over the wire. */
export interface RawResponse {
  readonly status: number;
  /** By lower-case name. The values of a repeated header are joined with commas. */
  readonly headers: ReadonlyMap<string, string>;
  readonly body: Buffer;
  /** Status line, headers and body. */
  readonly sizeBytes: number;
}

interface ConnectionOptions {
  readonly port: number;
  readonly host?: string;
  /** How long a response may take. */
  readonly timeoutMs?: number;
}

/** The server closed the connection instead of sending a whole response. */
class ConnectionClosed extends Error {
  override name = 'ConnectionClosed';
}

/** The server sent no whole response in time. */
class ResponseTimeout extends Error {
  override name = 'ResponseTimeout';
}

interface Pending {
  readonly hasBody: boolean;
  readonly resolve: (response: RawResponse) => void;
  readonly reject: (error: Error) => void;
  readonly timer: NodeJS.Timeout;
}

const headEnd = Buffer.from('\r\n\r\n');
const lineEnd = Buffer.from('\r\n');

/**
 * An HTTP/1.1 connection that sends any bytes and parses the responses. The clients of Node normalise or refuse what a
 * hostile client sends.
 */
export class RawConnection {
  readonly #socket: Socket;
  readonly #timeoutMs: number;
  #received: Buffer = Buffer.alloc(0);
  #pending: Pending | null = null;
  #isClosed = false;

  constructor({ port, host = '127.0.0.1', timeoutMs = 60_000 }: ConnectionOptions) {
    this.#timeoutMs = timeoutMs;
    this.#socket = connect({ port, host, noDelay: true });
    this.#socket.on('data', (chunk) => {
      this.#received = this.#received.length === 0 ? chunk : Buffer.concat([this.#received, chunk]);
      this.#settle();
    });
    // A reset after the response is how a server ends a connection whose request it did not read.
    this.#socket.on('error', () => this.#socket.destroy());
    this.#socket.on('end', () => this.#close());
    this.#socket.on('close', () => this.#close());
  }

  /** Whether another request can be sent. */
  get isOpen(): boolean {
    return !this.#isClosed;
  }

  /** Sends one request and waits for its response. A response to HEAD has no body. */
  exchange(request: string | Buffer, { hasBody = true } = {}): Promise<RawResponse> {
    if (this.#pending) throw new Error('The previous request has no response yet');
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        this.#isClosed = true;
        this.#fail(new ResponseTimeout(`No response within ${this.#timeoutMs} ms`));
        this.#socket.destroy();
      }, this.#timeoutMs);
      this.#pending = { hasBody, resolve, reject, timer };
      if (this.#isClosed) this.#fail(new ConnectionClosed('The connection is closed'));
      else this.#socket.write(request);
    });
  }

  close(): void {
    this.#isClosed = true;
    this.#socket.destroy();
  }

  #close(): void {
    this.#isClosed = true;
    this.#settle();
    this.#fail(new ConnectionClosed('The server closed the connection without a whole response'));
    this.#socket.destroy();
  }

  #settle(): void {
    const { hasBody = true } = this.#pending ?? {};
    const parsed = this.#pending && parseResponse(this.#received, hasBody, this.#isClosed);
    if (!parsed) return;
    this.#received = this.#received.subarray(parsed.end);
    const { response } = parsed;
    if (response.headers.get('connection') === 'close') this.#isClosed = true;
    this.#take()?.resolve(response);
    if (isEventStream(response.headers)) this.close();
  }

  #fail(error: Error): void {
    this.#take()?.reject(error);
  }

  #take(): Pending | null {
    const pending = this.#pending;
    this.#pending = null;
    if (pending) clearTimeout(pending.timer);
    return pending;
  }
}

/** Parses the first final response. Returns null while a part of it is missing. */
function parseResponse(
  received: Buffer,
  hasBody: boolean,
  isClosed: boolean,
): { readonly response: RawResponse; readonly end: number } | null {
  let start = 0;
  for (;;) {
    const end = received.indexOf(headEnd, start);
    if (end === -1) return null;
    const { status, headers } = parseHead(received.subarray(start, end).toString('latin1'));
    const bodyStart = end + headEnd.length;
    if (status >= 100 && status < 200) {
      start = bodyStart;
      continue;
    }
    const parsed =
      hasBody && status !== 204 && status !== 304 && !isEventStream(headers)
        ? parseBody(received, bodyStart, headers, isClosed)
        : { body: Buffer.alloc(0), end: bodyStart };
    if (!parsed) return null;
    const { body } = parsed;
    return { response: { status, headers, body, sizeBytes: parsed.end - start }, end: parsed.end };
  }
}

/** A stream of events has no end, so its head is the whole response. */
function isEventStream(headers: ReadonlyMap<string, string>): boolean {
  return headers.get('content-type')?.startsWith('text/event-stream') === true;
}

function parseHead(text: string): { readonly status: number; readonly headers: Map<string, string> } {
  const [statusLine = '', ...lines] = text.split('\r\n');
  const headers = new Map<string, string>();
  for (const line of lines) {
    const colon = line.indexOf(':');
    const name = line.slice(0, colon).toLowerCase();
    const value = line.slice(colon + 1).trim();
    const before = headers.get(name);
    headers.set(name, before === undefined ? value : `${before}, ${value}`);
  }
  const [, status] = /^HTTP\/1\.1 (\d{3})(?: |$)/.exec(statusLine) ?? [];
  return { status: Number(status ?? 0), headers };
}

function parseBody(
  received: Buffer,
  start: number,
  headers: ReadonlyMap<string, string>,
  isClosed: boolean,
): { readonly body: Buffer; readonly end: number } | null {
  if (headers.get('transfer-encoding') === 'chunked') return parseChunks(received, start);
  const length = headers.get('content-length');
  if (length === undefined) {
    return isClosed ? { body: received.subarray(start), end: received.length } : null;
  }
  const end = start + Number(length);
  return received.length < end ? null : { body: received.subarray(start, end), end };
}

function parseChunks(
  received: Buffer,
  start: number,
): { readonly body: Buffer; readonly end: number } | null {
  const chunks: Buffer[] = [];
  for (let at = start; ; ) {
    const sizeEnd = received.indexOf(lineEnd, at);
    if (sizeEnd === -1) return null;
    const size = Number.parseInt(received.subarray(at, sizeEnd).toString('latin1'), 16);
    const chunkStart = sizeEnd + lineEnd.length;
    const next = chunkStart + size + lineEnd.length;
    if (received.length < next) return null;
    if (size === 0) return { body: Buffer.concat(chunks), end: next };
    chunks.push(received.subarray(chunkStart, chunkStart + size));
    at = next;
  }
}
