/** The node returned a JSON-RPC error. */
export class RpcError extends Error {
  override name = 'RpcError';
}

/** The node, or a proxy in front of it, responded with an error of HTTP. */
export class HttpError extends Error {
  override name = 'HttpError';
}

interface CallOptions {
  /** Limits the whole call, including reading the body. */
  readonly signal: AbortSignal;
  readonly limitBytes?: number;
}

const defaultLimitBytes = 64 * 1024;

/** Makes a call with these headers. */
type SendCall = (headers: Readonly<Record<string, string>>) => Promise<unknown>;
/** Called in place of a call, which it must make. */
export type CallObserver = (method: string, send: SendCall) => Promise<unknown>;

let observer: CallObserver | null = null;

/** Observes every call of the process, for example to trace it. */
export function observeCalls(next: CallObserver | null): void {
  observer = next;
}

/** Makes one JSON-RPC call. Rejects late, oversized and malformed responses. */
export function callRpc(
  rpcUrl: string,
  method: string,
  params: readonly unknown[],
  options: CallOptions,
): Promise<unknown> {
  const send: SendCall = (headers) => sendCall(rpcUrl, { method, params, headers }, options);
  return observer ? observer(method, send) : send({});
}

interface Call {
  readonly method: string;
  readonly params: readonly unknown[];
  readonly headers: Readonly<Record<string, string>>;
}

async function sendCall(
  rpcUrl: string,
  { method, params, headers }: Call,
  { signal, limitBytes = defaultLimitBytes }: CallOptions,
): Promise<unknown> {
  const { url, credentials } = splitCredentials(rpcUrl);
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...credentials, ...headers },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
    // The operator chose this host, so redirects to other hosts are errors.
    redirect: 'error',
    signal,
  });
  const reply = parseReply(response, await readBounded(response, limitBytes));
  if (typeof reply !== 'object' || reply === null)
    throw new TypeError('The node returned no JSON-RPC response');
  if ('error' in reply && reply.error) throw new RpcError(readMessage(reply.error));
  if (!response.ok || !('result' in reply)) throw new HttpError(`HTTP status ${response.status}`);
  return reply.result;
}

function parseReply(response: Response, body: string): unknown {
  try {
    return JSON.parse(body);
  } catch (error) {
    // The body of an error is often a page or empty.
    if (!response.ok) throw new HttpError(`HTTP status ${response.status}`, { cause: error });
    throw error;
  }
}

async function readBounded(response: Response, limitBytes: number): Promise<string> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  // Leaving the loop early closes the connection.
  for await (const chunk of response.body ?? []) {
    size += chunk.byteLength;
    if (size > limitBytes) throw new RangeError('The response of the node is too long');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

/** Moves credentials from the URL to a header, because `fetch` rejects URLs with a password. */
function splitCredentials(rpcUrl: string): { url: URL; credentials: Record<string, string> } {
  const url = new URL(rpcUrl);
  if (!url.username && !url.password) return { url, credentials: {} };
  const pair = `${decodeURIComponent(url.username)}:${decodeURIComponent(url.password)}`;
  url.username = '';
  url.password = '';
  return { url, credentials: { authorization: `Basic ${Buffer.from(pair).toString('base64')}` } };
}

function readMessage(error: unknown): string {
  const message = typeof error === 'object' && error !== null && 'message' in error ? error.message : '';
  return typeof message === 'string' ? message.slice(0, 200) : '';
}
