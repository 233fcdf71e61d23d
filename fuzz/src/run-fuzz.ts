import { type FuzzedRequest, formatRequest } from './fuzzed-request.ts';
import { IdPool, idNameOf } from './id-pool.ts';
import { type Credentials, signInAll } from './identities.ts';
import { judgeResponse, parseJson } from './judge-response.ts';
import { makeRequest, type RequestSources } from './make-request.ts';
import { type FuzzedOperation, listOperations, type OpenApiDocument } from './operations.ts';
import { Random } from './random.ts';
import { RawConnection, type RawResponse } from './raw-connection.ts';

export interface FuzzOptions {
  /** With the version prefix. */
  readonly baseUrl: string;
  readonly credentials: Credentials;
  readonly requests: number;
  readonly seed: number;
  readonly connections?: number;
  /** No response may take longer. */
  readonly timeoutMs?: number;
  /** Called after each request with the number of requests so far. */
  readonly onProgress?: (done: number) => void;
}

/** A response that the service must not send. */
export interface Fault {
  readonly index: number;
  readonly reason: string;
  readonly request: FuzzedRequest;
  readonly response: string | null;
}

export interface FuzzReport {
  readonly requests: number;
  readonly faults: readonly Fault[];
  readonly countByStatus: ReadonlyMap<number, number>;
  /** Ids of operations that never succeeded. */
  readonly neverSucceeded: readonly string[];
  readonly slowestMs: number;
  readonly largestRefusalBytes: number;
}

const defaultTimeoutMs = 10_000;
const maxFaults = 20;
/** The operations after which a token may no longer be accepted. */
const sessionEnds = new Set(['signOut', 'endSession', 'endSessions']);

/** Sends random requests and judges every response. Stops early after many faults. */
export async function runFuzz(options: FuzzOptions): Promise<FuzzReport> {
  const { baseUrl, credentials, requests, seed, connections = 8, onProgress } = options;
  const { timeoutMs = defaultTimeoutMs } = options;
  const { hostname: host, port } = new URL(baseUrl);
  const document = (await (await fetch(`${baseUrl}/openapi.json`)).json()) as OpenApiDocument;
  const operations = listOperations(document);
  const { identities, keyIds } = await signInAll(credentials, baseUrl);
  const sources = { operations, identities, ids: new IdPool(keyIds) };
  const faults: Fault[] = [];
  const countByStatus = new Map<number, number>();
  const succeeded = new Set<string>();
  let sent = 0;
  let done = 0;
  let slowestMs = 0;
  let largestRefusalBytes = 0;

  const send = async (connection: RawConnection, request: FuzzedRequest, index: number): Promise<void> => {
    const addFault = (reason: string, response: RawResponse | null) =>
      faults.push({ index, reason, request, response: response?.body.toString().slice(0, 2_000) ?? null });
    const begin = performance.now();
    try {
      const response = await connection.exchange(formatRequest(request), {
        hasBody: request.method !== 'HEAD',
      });
      slowestMs = Math.max(slowestMs, performance.now() - begin);
      countByStatus.set(response.status, (countByStatus.get(response.status) ?? 0) + 1);
      if (response.status >= 400) largestRefusalBytes = Math.max(largestRefusalBytes, response.sizeBytes);
      const reason = judgeResponse(request, response);
      if (reason) addFault(reason, response);
      if (response.status < 300) {
        succeeded.add(request.operation);
        collectIds(sources, request, response);
        if (sessionEnds.has(request.operation)) await Promise.all(identities.map(({ renew }) => renew?.()));
      }
    } catch (error) {
      addFault(String(error), null);
    }
    done++;
    onProgress?.(done);
  };

  const work = async (): Promise<void> => {
    let connection: RawConnection | null = null;
    while (sent < requests && faults.length < maxFaults) {
      const index = sent++;
      if (!connection?.isOpen) connection = new RawConnection({ host, port: Number(port), timeoutMs });
      // Each request depends on the seed and its number, and on ids in earlier responses.
      const random = new Random(Math.imul(seed, 0x9e3779b1) ^ Math.imul(index, 0x85ebca6b));
      const request = makeRequest(sources, random);
      await send(connection, request, index);
      if (hasUnknownEnd(request)) connection.close();
    }
    connection?.close();
  };
  await Promise.all(Array.from({ length: connections }, work));
  return {
    requests: done,
    faults,
    countByStatus,
    neverSucceeded: operations.map(({ id }) => id).filter((id) => !succeeded.has(id)),
    slowestMs,
    largestRefusalBytes,
  };
}

function collectIds(
  { operations, ids }: RequestSources,
  request: FuzzedRequest,
  response: RawResponse,
): void {
  const operation = operations.find(({ id }) => id === request.operation) as FuzzedOperation;
  ids.collect(parseJson(response)?.data, idNameOf(operation.path));
}

/** Whether the server cannot know where the request ends. It responds and closes the connection, which is no fault. */
function hasUnknownEnd({ headers }: FuzzedRequest): boolean {
  return headers.some(([name]) => name === 'transfer-encoding');
}
