import { randomUUID } from 'node:crypto';
import { takesIdempotencyKey } from '@keyfront/protocol';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { compactCounters } from '../../packages/server/src/database/queries/counters.ts';
import { compactAuditCounters } from '../../packages/server/src/resources/audit/audit-queries.ts';
import { compactOrderCounters } from '../../packages/server/src/resources/orders/stats/order-stats-queries.ts';
import { fillStore } from '../support/large-store.ts';
import { isCached } from '../support/operation-calls.ts';
import {
  findOperation,
  type OperationRequests,
  openOperationRequests,
} from '../support/operation-requests.ts';
import { openQuietStorefront, type QuietStorefront } from '../support/quiet-storefront.ts';
import type { Reply } from '../support/storefront.ts';
import { until } from '../support/until.ts';

/** How many rows the holder has in each table before the requests. */
const stored = 3_000;
/** More than any operation needs for one page, one resource and its parts, or the counters of its days. */
const readAtMost = 400;

/** A node of a plan in the JSON of auto_explain. */
interface PlanNode {
  readonly 'Relation Name'?: string;
  readonly 'Node Type': string;
  readonly 'Actual Rows': number;
  readonly 'Actual Loops': number;
  readonly 'Rows Removed by Filter'?: number;
  readonly 'Rows Removed by Index Recheck'?: number;
  readonly Plans?: readonly PlanNode[];
}

interface ExecutedPlan {
  readonly 'Query Text': string;
  readonly Plan: PlanNode;
}

/** The plans of everything that connections to this database have executed, functions and triggers included. */
let plans: ExecutedPlan[] = [];
const original = pg.Client.prototype.connect;
pg.Client.prototype.connect = new Proxy(original, {
  apply(connect, client, args) {
    client.on('notice', ({ message = '' }: pg.DatabaseError) => {
      const [, json] = /^duration: .*? plan:\n(.*)$/s.exec(message) ?? [];
      if (json) plans.push(JSON.parse(json));
    });
    return Reflect.apply(connect, client, args);
  },
});
afterAll(() => {
  pg.Client.prototype.connect = original;
});

let storefront: QuietStorefront;
let requests: OperationRequests;

beforeAll(async () => {
  storefront = await openQuietStorefront();
  requests = await openOperationRequests(storefront, 1);
  await fillStore(storefront, stored);
  const { signal } = new AbortController();
  await compactCounters(storefront.service.database, signal);
  await compactOrderCounters(storefront.service.database, signal);
  await compactAuditCounters(storefront.service.database, signal);
  await storefront.sql('VACUUM ANALYZE');
  await explainEverything(storefront);
});

/** Lets every connection that is opened from now on report what it executes. Closes those of the service. */
async function explainEverything({ sql, service }: QuietStorefront): Promise<void> {
  const [{ name } = { name: '' }] = await sql<{ name: string }>('SELECT current_database() AS name');
  const settings = {
    session_preload_libraries: 'auto_explain',
    'auto_explain.log_min_duration': '0',
    'auto_explain.log_analyze': 'on',
    'auto_explain.log_timing': 'off',
    'auto_explain.log_nested_statements': 'on',
    'auto_explain.log_format': 'json',
    'auto_explain.log_level': 'notice',
  };
  for (const [setting, value] of Object.entries(settings)) {
    await sql(`ALTER DATABASE ${name} SET ${setting} = '${value}'`);
  }
  await sql(
    `SELECT pg_terminate_backend(pid, 10000) FROM pg_stat_activity
     WHERE datname = current_database() AND pid <> pg_backend_pid()`,
  );
  await until(
    () => service.database.poolUsage().total,
    (total) => total === 0,
  );
}

/** How many rows each node of a plan has read from its table. */
function* readsOf({
  Plan,
  'Query Text': text,
}: ExecutedPlan): Generator<{ table: string; rows: number; text: string }> {
  const nodes = [Plan];
  for (let node = nodes.pop(); node; node = nodes.pop()) {
    nodes.push(...(node.Plans ?? []));
    const { 'Relation Name': table, 'Node Type': type } = node;
    if (table === undefined || type === 'ModifyTable') continue;
    const removed = (node['Rows Removed by Filter'] ?? 0) + (node['Rows Removed by Index Recheck'] ?? 0);
    yield { table, rows: (node['Actual Rows'] + removed) * node['Actual Loops'], text };
  }
}

/** So often PostgreSQL plans a prepared statement for its values. Then it may choose a plan for all values. */
const customPlans = 5;

/** Executes a request, and lists the tables of which it has read too much. One that may be repeated is executed until plans remain. */
async function findLargeReads(
  send: () => Promise<Reply>,
  isRepeatable: boolean,
): Promise<{ tables: string[]; reads: string[] }> {
  plans = [];
  for (let round = 0; round <= (isRepeatable ? customPlans : 0); round++) {
    const { status, text } = await send();
    expect(status, text).toBeLessThan(300);
  }
  const reads = plans.flatMap((plan) => [...readsOf(plan)]).filter(({ rows }) => rows > readAtMost);
  return {
    tables: [...new Set(reads.map(({ table }) => table))],
    reads: reads.map(({ table, rows, text }) => `${table} ${rows}: ${text.slice(0, 100)}`),
  };
}

/** What operations read more of, by their names. */
const exceptions: Readonly<Record<string, readonly string[]>> = {
  // Each holder has counters of its own.
  listAdminClients: ['client_counters'],
  listAdminOrders: ['order_counters'],
  // Counts the clients of each day of the period.
  getDashboardAnalytics: ['clients'],
  // A digital key is sold a few times, and a wallet trades a few.
  listNftSales: ['nft_sales'],
  listTransactions: ['transactions'],
};

describe('however many rows there are, few are read by', () => {
  it('each operation', { tags: ['long'] }, async () => {
    const { names, prepare } = requests;
    const found: Record<string, readonly string[]> = {};
    const details: string[] = [];
    let planCount = 0;
    for (const name of names) {
      const options = takesIdempotencyKey(findOperation(name)) ? { idempotencyKey: randomUUID() } : {};
      const { tables, reads } = await findLargeReads(
        await prepare(name, options),
        findOperation(name).method === 'GET',
      );
      // What is cached may read the whole catalogue.
      const read = tables.filter(
        (table) => !['strains', 'strain_locations'].includes(table) || !isCached(findOperation(name)),
      );
      if (read.length > 0) found[name] = read;
      details.push(...reads.map((read) => `${name}: ${read}`));
      planCount += plans.length;
    }
    expect(planCount).toBeGreaterThan(names.length);
    expect(found, details.join('\n')).toEqual(exceptions);
  });

  it.each([
    '/dapp/orders?search=LARGE-2345',
    '/dapp/orders?search=client2345@',
    '/dapp/orders?search=client2345@&orderBy=totalAmount:asc',
    '/dapp/orders?status=DELIVERED',
    '/dapp/orders?orderBy=updatedAt:desc',
    '/dapp/orders?page=290',
    '/dapp/clients?search=client2345@',
    '/dapp/clients?adminApproval=REJECTED',
    '/dapp/clients?search=Client+2345',
    '/dapp/carts?search=client2345@',
    '/dapp/sales?page=2',
    '/events?orderBy=desc&take=100',
  ])('GET %s', async (path) => {
    expect((await findLargeReads(storefront.holder.prepare('GET', path), true)).reads).toEqual([]);
    expect(plans).not.toEqual([]);
  });

  it.each([
    '/admin/orders?search=LARGE-2345',
    '/admin/clients?search=client2345@',
    '/admin/audit?subject=ORDER',
    '/admin/audit?subject=PLANET&administrator=0x00000000000000000000000000000000000000aa',
  ])('GET %s of an administrator', async (path) => {
    expect((await findLargeReads(storefront.admin.prepare('GET', path), true)).reads).toEqual([]);
    expect(plans).not.toEqual([]);
  });
});
