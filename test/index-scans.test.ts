import { randomUUID } from 'node:crypto';
import type { Statement } from '@keyfront/postgres';
import { takesIdempotencyKey } from '@keyfront/protocol';
import pg from 'pg';
import { afterAll, expect, it } from 'vitest';
import { compactCounters } from '../packages/server/src/database/queries/counters.ts';
import { compactAuditCounters } from '../packages/server/src/resources/audit/audit-queries.ts';
import { compactOrderCounters } from '../packages/server/src/resources/orders/stats/order-stats-queries.ts';
import { findOperation, openOperationRequests } from './support/operation-requests.ts';
import { openQuietStorefront } from './support/quiet-storefront.ts';

/** Rows of these tables are inserted and deleted all the time. An INSERT alone does not scan them. */
const readsChurningTable =
  /(?<!INSERT INTO )\b(counter_changes|order_counter_changes|audit_counter_changes|idempotency_keys|claim_idempotency_keys|sign_in_nonces)\b/;

const statements = new Map<string, Statement<unknown>>();
const original = pg.Client.prototype.query;
pg.Client.prototype.query = new Proxy(original, {
  apply(query, client, args) {
    const statement: Statement<unknown> | undefined = args[0]?.state?.statement;
    if (statement) statements.set(statement.text, statement);
    return Reflect.apply(query, client, args);
  },
});
afterAll(() => {
  pg.Client.prototype.query = original;
});

it('reads tables whose rows come and go by plain index scans only', { tags: ['long'] }, async () => {
  const storefront = await openQuietStorefront();
  const { names, prepare } = await openOperationRequests(storefront, 1);
  for (const name of names) {
    const options = takesIdempotencyKey(findOperation(name)) ? { idempotencyKey: randomUUID() } : {};
    const { status, text } = await (await prepare(name, options))();
    expect([name, status < 300 ? 'succeeded' : text]).toEqual([name, 'succeeded']);
  }
  const { signal } = new AbortController();
  await compactCounters(storefront.service.database, signal);
  await compactOrderCounters(storefront.service.database, signal);
  await compactAuditCounters(storefront.service.database, signal);

  const readers = [...statements.values()].filter(({ text }) => readsChurningTable.test(text));
  expect(new Set(readers.map(({ name }) => name.split('.')[0]))).toEqual(
    new Set([
      'audit',
      'carts',
      'clients',
      'counters',
      'holders',
      'idempotency',
      'orders',
      'reset',
      'sales',
      'sign-in',
    ]),
  );
  const unmarked = readers.filter(({ indexScansOnly }) => !indexScansOnly);
  expect(unmarked.map(({ name, text }) => name || text)).toEqual([]);
});
