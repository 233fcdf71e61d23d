import autocannon from 'autocannon';
import { serveParent } from './child.ts';
import type { LoadJob, LoadRequest, LoadResult } from './load.ts';

interface RegisteredRequests {
  readonly requests: readonly LoadRequest[];
  /** The number of completed requests of each connection. */
  readonly sent: number[];
}

const lists = new Map<string, RegisteredRequests>();

serveParent<LoadJob, LoadResult>(async ({ base, connections: wanted, requests, until }) => {
  if (requests.list) lists.set(requests.name, { requests: requests.list, sent: [] });
  const list = lists.get(requests.name);
  if (!list) throw new Error(`The requests "${requests.name}" are not registered`);
  const connections = Math.min(wanted, list.requests.length);
  const { origin, pathname } = new URL(base);
  const prefix = pathname === '/' ? '' : pathname;
  let opened = 0;
  const refusalsMs: number[] = [];
  const result = await autocannon({
    url: origin,
    connections,
    ...('seconds' in until ? { duration: until.seconds } : { amount: until.responses }),
    // autocannon ends a run at a sample. The default, one per second, would prolong short runs.
    sampleInt: 100,
    timeout: 60,
    setupClient: (client) => {
      const connection = opened++;
      const own = requestsForConnection(list, connection, connections).slice(
        0,
        maxRequestsPerConnection(until, connections),
      );
      client.setRequests(
        own.map((request) => ({ ...request, method: request.method ?? 'GET', path: prefix + request.path })),
      );
      client.on('response', (status, _bytes, durationMs) => {
        list.sent[connection] = (list.sent[connection] ?? 0) + 1;
        if (status >= 400) refusalsMs.push(durationMs);
      });
    },
  });
  return {
    rate: result['2xx'] / result.duration,
    statuses: Object.fromEntries(
      Object.entries(result.statusCodeStats ?? {}).map(([status, { count }]) => [status, Number(count)]),
    ),
    failures: result.errors + result.timeouts,
    refusedWithinMs: refusalsMs.sort((a, b) => a - b)[Math.floor(refusalsMs.length * 0.95)] ?? 0,
  };
});

/**
 * Returns more requests than a connection can send in the run. autocannon serializes all requests of a connection before it
 * sends the first; for a long list that would take longer than a short run.
 */
function maxRequestsPerConnection(until: LoadJob['until'], connections: number): number {
  const maxPerSecond = 20_000;
  const max = 'seconds' in until ? until.seconds * maxPerSecond : until.responses;
  return Math.ceil(max / connections) + 1;
}

/** Returns the connection's part of the list, rotated to continue where its last run stopped. */
function requestsForConnection(
  { requests, sent }: RegisteredRequests,
  connection: number,
  connections: number,
): LoadRequest[] {
  const from = Math.floor((connection * requests.length) / connections);
  const to = Math.floor(((connection + 1) * requests.length) / connections);
  const next = from + ((sent[connection] ?? 0) % (to - from));
  return [...requests.slice(next, to), ...requests.slice(from, next)];
}
