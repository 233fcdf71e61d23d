import { randomUUID } from 'node:crypto';
import {
  type Bench,
  checkSuccess,
  fetchBody,
  type LoadBounds,
  signedGet,
  usualConnections,
} from '../bench.ts';
import type { LoadRequest } from '../processes/load.ts';
import { makeCheckoutRequest } from '../scenarios/checkout-runs.ts';
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
/** Orders of so few connections never share a transaction, and those of so many do. */
const connectionsOfOrders = { alone: 2, together: usualConnections };

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
    costs.push(
      await measureCost(bench, what, requests, { connections, until: { seconds: sizes.runSeconds } }),
    );
  }
  const checkouts = await measureCheckouts(bench);
  return { costs: [...costs, ...checkouts.costs], orderBytes: checkouts.orderBytes };
}

async function measureCheckouts(bench: Bench): Promise<Costs> {
  const { signers, sizes, store } = bench;
  bench.progress('Measuring: checkout');
  await fillCarts(store.client, tokens.large, sizes.clients);
  const count = Math.min(sizes.ordersPlacedInRun, Math.floor(sizes.clients / 3));
  let next = 0;
  const measure = (what: string, connections: number): Promise<Cost> => {
    const requests = Array.from({ length: count }, () =>
      makeCheckoutRequest(signers.large, next++, randomUUID()),
    );
    return measureCost(bench, what, requests, { connections, until: { responses: count } });
  };
  // The warm-up, which a change that is sent once cannot have.
  await measure('', connectionsOfOrders.together);
  const before = await measureOrderTables(bench);
  const costs = [
    await measure('`POST /dapp/orders`, three lines', connectionsOfOrders.alone),
    await measure(`the same, ${connectionsOfOrders.together} at a time`, connectionsOfOrders.together),
  ];
  return { costs, orderBytes: ((await measureOrderTables(bench)) - before) / count / costs.length };
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
  { connections, until }: Required<LoadBounds>,
): Promise<Cost> {
  const [first] = requests;
  if (!first) throw new Error('There is nothing to send');
  const isRead = 'seconds' in until;
  const responseBytes = isRead ? (await fetchBody(service.baseUrl, first)).length : 0;
  const list = registerRequests(requests);
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
