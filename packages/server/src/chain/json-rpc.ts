import { getTracing, trace } from '../observability/tracing.ts';

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

/** Makes one JSON-RPC call. Rejects late, oversized and malformed responses. */
export function callRpc(
  rpcUrl: string,
  method: string,
  params: readonly unknown[],
  options: CallOptions,
): Promise<unknown> {
  const attributes = { 'rpc.system.name': 'jsonrpc', 'rpc.method': method };
  return trace({ name: method, kind: 'client', attributes }, () => sendCall(rpcUrl, method, params, options));
}

async function sendCall(
  rpcUrl: string,
  method: string,
  params: readonly unknown[],
  { signal, limitBytes = defaultLimitBytes }: CallOptions,
): Promise<unknown> {
  const { url, headers } = splitCredentials(rpcUrl);
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers, ...getTracing()?.outgoingHeaders() },
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
function splitCredentials(rpcUrl: string): { url: URL; headers: Record<string, string> } {
  const url = new URL(rpcUrl);
  if (!url.username && !url.password) return { url, headers: {} };
  const credentials = `${decodeURIComponent(url.username)}:${decodeURIComponent(url.password)}`;
  url.username = '';
  url.password = '';
  return { url, headers: { authorization: `Basic ${Buffer.from(credentials).toString('base64')}` } };
}

function readMessage(error: unknown): string {
  const message = typeof error === 'object' && error !== null && 'message' in error ? error.message : '';
  return typeof message === 'string' ? message.slice(0, 200) : '';
}
