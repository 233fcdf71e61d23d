import { randomUUID } from 'node:crypto';
import { type Bench, checkSuccess, fetchBody, signedGet, signHeaders } from '../bench.ts';
import type { LoadRequest } from '../processes/load.ts';
import { noFilters } from '../scenarios/export-pages.ts';
import { idOf } from '../store/ids.ts';
import { invoiceNumberOf } from '../store/invoice-numbers.ts';
import { fillCarts, tokens } from '../store/seed.ts';
import { readProcessTime, readTreeTime } from './processor-time.ts';

/** What one call of an operation costs. */
export interface Cost {
  readonly what: string;
  /** Processor time of the service and of PostgreSQL, in microseconds. */
  readonly serviceUs: number;
  readonly databaseUs: number;
  /** The size of the response. */
  readonly responseBytes: number;
  /** What the call adds to the write-ahead log, for replicas and archives. */
  readonly walBytes: number;
}

export interface Costs {
  readonly costs: readonly Cost[];
  /** What an order with three lines takes on the disk, with its indices, lines, history and events. */
  readonly orderBytes: number;
}

/** Few connections: the time that is measured is work, not waiting. */
const connections = 8;

/** Measures the operations of a storefront for a holder with many orders. */
export async function measureCosts(bench: Bench): Promise<Costs> {
  const { signers, sizes } = bench;
  const get = (path: string) => Array(100).fill(signedGet(signers.large, path)) as LoadRequest[];
  const reads: readonly (readonly [string, readonly LoadRequest[]])[] = [
    ['`GET /planets`', get('/planets')],
    ['`GET /dapp/strains`', get('/dapp/strains')],
    ['`GET /dapp/orders`, 10 orders', get('/dapp/orders')],
    ['the same with a search', get(`/dapp/orders?search=${invoiceNumberOf(tokens.large, 50)}`)],
    ['`GET /dapp/orders/{orderId}`', get(`/dapp/orders/${idOf('order', tokens.large, 50)}`)],
    ['`GET /dapp/orders/summary`', get('/dapp/orders/summary')],
    ['`GET /dapp/orders/chart-data`', get('/dapp/orders/chart-data')],
    ['`GET /dapp/clients`, 10 clients', get('/dapp/clients')],
    ['`GET /orders/export`, 100 orders', get(`/orders/export?${noFilters}&page=1&take=100`)],
  ];
  const costs: Cost[] = [];
  for (const [what, requests] of reads) {
    bench.progress(`Measuring: ${what}`);
    costs.push(await measureCost(bench, what, requests, { seconds: sizes.runSeconds }));
  }
  const { cost, orderBytes } = await measureCheckout(bench);
  return { costs: [...costs, cost], orderBytes };
}

async function measureCheckout(bench: Bench): Promise<{ cost: Cost; orderBytes: number }> {
  const { signers, sizes, store } = bench;
  bench.progress('Measuring: checkout');
  await fillCarts(store.client, tokens.large, sizes.clients);
  const count = Math.min(sizes.ordersPlacedInRun, sizes.clients);
  const requests = Array.from({ length: count }, (_, n): LoadRequest => {
    const body = JSON.stringify({ clientId: idOf('client', tokens.large, n) });
    return {
      method: 'POST',
      path: '/dapp/orders',
      headers: {
        'content-type': 'application/json',
        'idempotency-key': randomUUID(),
        ...signHeaders(signers.large, body),
      },
      body,
    };
  });
  const before = await measureOrderTables(bench);
  const cost = await measureCost(bench, '`POST /dapp/orders`, three lines', requests, { responses: count });
  return { cost, orderBytes: ((await measureOrderTables(bench)) - before) / count };
}

async function measureOrderTables({ store }: Bench): Promise<number> {
  const { rows } = await store.client.query<{ bytes: string }>(
    `SELECT sum(pg_total_relation_size(('keyfront.' || name)::regclass)) AS bytes
     FROM unnest('{orders,order_lines,order_history,events}'::text[]) AS name`,
  );
  return Number(rows[0]?.bytes ?? 0);
}

async function measureCost(
  { service, store, registerRequests, load }: Bench,
  what: string,
  requests: readonly LoadRequest[],
  until: { readonly seconds: number } | { readonly responses: number },
): Promise<Cost> {
  const [first] = requests;
  if (!first) throw new Error('There is nothing to send');
  const isRead = 'seconds' in until;
  const responseBytes = isRead ? (await fetchBody(service.baseUrl, first)).length : 0;
  const list = registerRequests(requests);
  // A change cannot be sent twice, so it has no warm-up.
  if (isRead) await load(service.baseUrl, list, { connections, until });
  const postmaster = await findPostmaster(store.client);
  const read = async () => ({
    service: readProcessTime(service.pid),
    database: readTreeTime(postmaster),
    wal: await readWalPosition(store.client),
  });
  const before = await read();
  const result = await load(service.baseUrl, list, { connections, until });
  const after = await read();
  // An error would be cheaper than what it stands for.
  checkSuccess(result);
  const count = Object.values(result.statuses).reduce((sum, each) => sum + each, 0);
  const perCall = (from: number, to: number) => (to - from) / count;
  return {
    what,
    serviceUs: perCall(before.service, after.service) * 1_000_000,
    databaseUs: perCall(before.database, after.database) * 1_000_000,
    responseBytes,
    walBytes: perCall(before.wal, after.wal),
  };
}

async function findPostmaster(client: Bench['store']['client']): Promise<number> {
  // The first line is the process id.
  const { rows } = await client.query<{ file: string }>(`SELECT pg_read_file('postmaster.pid') AS file`);
  return Number.parseInt(rows[0]?.file ?? '', 10);
}

async function readWalPosition(client: Bench['store']['client']): Promise<number> {
  const { rows } = await client.query<{ bytes: string }>(
    `SELECT pg_current_wal_insert_lsn() - '0/0'::pg_lsn AS bytes`,
  );
  return Number(rows[0]?.bytes ?? 0);
}
