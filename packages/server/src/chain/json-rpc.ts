/** The node answered as the protocol has it, with an error. */
export class RpcError extends Error {
  override name = 'RpcError';
}

interface CallOptions {
  /** Bounds the whole call, the reading of the body included. */
  readonly signal: AbortSignal;
  readonly limitBytes?: number;
}

const defaultLimitBytes = 64 * 1024;

/** One JSON-RPC call of a node. Rejects whatever is no answer in time and of a sane size. */
export async function callRpc(
  rpcUrl: string,
  method: string,
  params: readonly unknown[],
  { signal, limitBytes = defaultLimitBytes }: CallOptions,
): Promise<unknown> {
  const { url, headers } = splitCredentials(rpcUrl);
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
    // The address is the operator's choice, and no other answers for it.
    redirect: 'error',
    signal,
  });
  const answer: unknown = JSON.parse(await readBounded(response, limitBytes));
  if (typeof answer !== 'object' || answer === null) throw new TypeError('The node gave no JSON-RPC answer');
  if ('error' in answer && answer.error) throw new RpcError(messageOf(answer.error));
  if (!response.ok || !('result' in answer)) throw new TypeError(`The node answered ${response.status}`);
  return answer.result;
}

async function readBounded(response: Response, limitBytes: number): Promise<string> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  // Leaving the loop early closes the connection.
  for await (const chunk of response.body ?? []) {
    size += chunk.byteLength;
    if (size > limitBytes) throw new RangeError('The answer of the node is too long');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

/** `fetch` takes no address with a password in it. */
function splitCredentials(rpcUrl: string): { url: URL; headers: Record<string, string> } {
  const url = new URL(rpcUrl);
  if (!url.username && !url.password) return { url, headers: {} };
  const credentials = `${decodeURIComponent(url.username)}:${decodeURIComponent(url.password)}`;
  url.username = '';
  url.password = '';
  return { url, headers: { authorization: `Basic ${Buffer.from(credentials).toString('base64')}` } };
}

function messageOf(error: unknown): string {
  const message = typeof error === 'object' && error !== null && 'message' in error ? error.message : '';
  return typeof message === 'string' ? message.slice(0, 200) : '';
}
