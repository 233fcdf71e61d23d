import autocannon from 'autocannon';
import { answerParent } from './child.ts';
import type { LoadJob, LoadRequest, LoadResult } from './load.ts';

interface HandedOver {
  readonly requests: readonly LoadRequest[];
  /** By connection: how many of its requests were sent. */
  readonly sent: number[];
}

const lists = new Map<string, HandedOver>();

answerParent<LoadJob, LoadResult>(async ({ base, connections: wanted, requests, until }) => {
  if (requests.list) lists.set(requests.name, { requests: requests.list, sent: [] });
  const list = lists.get(requests.name);
  if (!list) throw new Error(`Nobody handed over the requests ${requests.name}`);
  const connections = Math.min(wanted, list.requests.length);
  const { origin, pathname } = new URL(base);
  const prefix = pathname === '/' ? '' : pathname;
  let opened = 0;
  const refusalsMs: number[] = [];
  const result = await autocannon({
    url: origin,
    connections,
    ...('seconds' in until ? { duration: until.seconds } : { amount: until.answers }),
    // So that a duration of less than a second is kept, too.
    sampleInt: 100,
    timeout: 60,
    setupClient: (client) => {
      const connection = opened++;
      const own = requestsOf(list, connection, connections).slice(0, mostOfOne(until, connections));
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
 * More than a connection can ask for: each is written out before the first is sent, which for a long list would take
 * longer than a short run.
 */
function mostOfOne(until: LoadJob['until'], connections: number): number {
  const mostInSecond = 20_000;
  const most = 'seconds' in until ? until.seconds * mostInSecond : until.answers;
  return Math.ceil(most / connections) + 1;
}

/** The part of a list that is this connection's, from where it was. */
function requestsOf({ requests, sent }: HandedOver, connection: number, connections: number): LoadRequest[] {
  const from = Math.floor((connection * requests.length) / connections);
  const to = Math.floor(((connection + 1) * requests.length) / connections);
  const next = from + ((sent[connection] ?? 0) % (to - from));
  return [...requests.slice(next, to), ...requests.slice(from, next)];
}
