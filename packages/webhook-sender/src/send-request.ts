import http, { type IncomingMessage } from 'node:http';
import https from 'node:https';
import { isIP, type LookupFunction } from 'node:net';
import { performance } from 'node:perf_hooks';
import { isAllowedAddress } from './endpoint-addresses.ts';
import { addressPolicyOf, type EndpointRules, hostOf } from './endpoint-url.ts';

export interface DeliveryRequest {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  /** Aborted when the process shuts down. The request then rejects. */
  readonly signal: AbortSignal;
}

/** What became of a request. */
export interface DeliveryResponse {
  /** Null if there was no response. */
  readonly status: number | null;
  readonly durationMs: number;
  /** The first part of the body. */
  readonly body: string;
  /** Why it does not count as delivered. Null if it does. */
  readonly failure: string | null;
}

/** From the first name server to the last byte that is read. */
const defaultDeadlineMs = 15_000;
/** What is read of a response. */
const maxBodyBytes = 1024;

const notPublic = 'The host has an address that is not public';

/** Why a request failed. Its message is shown to the holder of the webhook. */
class RequestFailure extends Error {}

export interface SendDependencies {
  readonly endpoints: EndpointRules;
  readonly deadlineMs?: number;
}

/** Returns a function that sends deliveries, on connections that it keeps open for the next ones. */
export function createSender({ endpoints, deadlineMs: limitMs = defaultDeadlineMs }: SendDependencies) {
  const options = { keepAlive: true, maxFreeSockets: 64, timeout: 60_000 };
  const agents = { 'http:': new http.Agent(options), 'https:': new https.Agent(options) };

  async function attempt(url: URL, request: DeliveryRequest, isRepeated: boolean): Promise<Received> {
    const { body, headers, signal } = request;
    signal.throwIfAborted();
    const host = hostOf(url);
    const policy = addressPolicyOf(url, endpoints);
    const isAllowed = (address: string) => isAllowedAddress(address, policy);
    // A name is resolved here, so that the connection goes to the addresses that were checked.
    const lookup: LookupFunction = (_hostname, { all }, callback) => {
      const answer = (addresses: readonly string[]): void => {
        const [first] = addresses;
        if (first === undefined) callback(new RequestFailure('The host has no address'), '');
        else if (!addresses.every(isAllowed)) callback(new RequestFailure(notPublic), '');
        else if (all)
          callback(
            null,
            addresses.map((address) => ({ address, family: isIP(address) })),
          );
        else callback(null, first, isIP(first));
      };
      endpoints.resolve(host).then(answer, (error) => callback(error, ''));
    };
    // An address in the URL is connected to without a lookup.
    if (isIP(host) !== 0 && !isAllowed(host)) throw new RequestFailure(notPublic);
    const protocol = url.protocol === 'http:' ? 'http:' : 'https:';
    const outgoing = (protocol === 'http:' ? http : https).request(url, {
      method: 'POST',
      agent: agents[protocol],
      headers: { ...headers, 'content-length': Buffer.byteLength(body) },
      lookup,
    });
    try {
      const response = await new Promise<IncomingMessage>((resolve, reject) => {
        const failUnanswered = () => reject(new RequestFailure(reasons.ECONNRESET));
        outgoing.once('close', failUnanswered);
        outgoing.once('response', (response) => {
          outgoing.off('close', failUnanswered);
          resolve(response);
        });
        // The response to a request that has not asked for another protocol.
        outgoing.once('upgrade', (_response, socket) => {
          socket.destroy();
          reject(new RequestFailure('The endpoint responded with 101'));
        });
        outgoing.on('error', reject);
        // Whatever the endpoint does, the request ends at the deadline.
        signal.addEventListener('abort', () => {
          reject(signal.reason);
          outgoing.destroy();
        });
        outgoing.end(body);
      });
      return { status: response.statusCode ?? 0, body: await readStart(response) };
    } catch (error) {
      // The endpoint has closed an idle connection at the moment at which it was used again.
      const isStale = outgoing.reusedSocket && (error as NodeJS.ErrnoException).code === 'ECONNRESET';
      if (isStale && !isRepeated) return attempt(url, request, true);
      throw error;
    } finally {
      outgoing.destroy();
    }
  }

  return async (request: DeliveryRequest): Promise<DeliveryResponse> => {
    const startedAt = performance.now();
    const durationMs = () => Math.round(performance.now() - startedAt);
    // `AbortSignal.any` would do the same with weak references, which cost the garbage collector more.
    const ended = new AbortController();
    const end = () => ended.abort();
    const timer = setTimeout(end, limitMs);
    request.signal.addEventListener('abort', end);
    try {
      request.signal.throwIfAborted();
      const { status, body } = await attempt(
        new URL(request.url),
        { ...request, signal: ended.signal },
        false,
      );
      return { status, body, durationMs: durationMs(), failure: explainStatus(status) };
    } catch (error) {
      request.signal.throwIfAborted();
      const failure = ended.signal.aborted
        ? `The endpoint did not respond within ${Math.round(limitMs / 1000)} seconds`
        : explainFailure(error);
      return { status: null, body: '', durationMs: durationMs(), failure };
    } finally {
      clearTimeout(timer);
      request.signal.removeEventListener('abort', end);
    }
  };
}

interface Received {
  readonly status: number;
  readonly body: string;
}

/** Reads the start of a body. A longer one is left unread, and its connection closed. */
async function readStart(response: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of response as AsyncIterable<Buffer>) {
    chunks.push(chunk);
    bytes += chunk.length;
    if (bytes >= maxBodyBytes) break;
  }
  // PostgreSQL stores no NUL.
  return Buffer.concat(chunks).subarray(0, maxBodyBytes).toString('utf8').replaceAll('\0', '\uFFFD');
}

function explainStatus(status: number): string | null {
  if (status >= 200 && status < 300) return null;
  if (status >= 300 && status < 400)
    return `The endpoint responded with ${status}: redirects are not followed`;
  return `The endpoint responded with ${status}`;
}

const reasons: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'The endpoint refused the connection',
  ECONNRESET: 'The endpoint closed the connection without a response',
  EPIPE: 'The endpoint closed the connection without a response',
  ETIMEDOUT: 'The connection timed out',
  EHOSTUNREACH: 'The host cannot be reached',
  ENETUNREACH: 'The host cannot be reached',
};

function explainFailure(error: unknown): string {
  if (error instanceof RequestFailure) return error.message;
  if (error instanceof AggregateError && error.errors.length > 0) return explainFailure(error.errors[0]);
  const { code = '' } = error as NodeJS.ErrnoException;
  if (reasons[code]) return reasons[code];
  if (code.startsWith('HPE_')) return `The endpoint did not respond with valid HTTP (${code})`;
  return `The connection failed${code === '' ? '' : ` (${code})`}`;
}
