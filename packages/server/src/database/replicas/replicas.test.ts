import { defaultSilenceTiming, statement } from '@keyfront/postgres';
import { Registry } from 'prom-client';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { streamRows } from '../../../../../test/support/stream-rows.ts';
import { createTestDatabase, type TestDatabase } from '../../../../../test/support/test-database.ts';
import { until } from '../../../../../test/support/until.ts';
import { ServerPools } from '../connection/server-pools.ts';
import { Database } from '../database.ts';
import { addDatabaseMetrics } from '../database-metrics.ts';
import { prepareLeadingStatements } from '../transactions/leading-statements.ts';
import { systemScope } from '../transactions/scope.ts';
import { PrimaryPositionReader, parseLsn } from './primary-position.ts';

let test: TestDatabase;
beforeAll(async () => {
  test = await createTestDatabase();
});
afterAll(() => test.close());

const readOne = statement<{ one: number }>('test.one', 'SELECT 1 AS one');

describe('replicas that cannot be used', () => {
  it.each([
    ['is not there', (url: string) => url.replace(/:\d+\//, ':1/'), /ECONNREFUSED/],
    ['is no replica', (url: string) => url.replace('127.0.0.1', 'localhost'), /not a standby/],
    [
      'has no such database',
      (url: string) => url.replace('127.0.0.1', 'localhost').replace(/\/(\w+)(?=\?|$)/, '/$1_other'),
      /does not exist/,
    ],
  ])('leave all reads to the primary, and say why: one %s', async (_what, toReplica, reason) => {
    const causes: unknown[] = [];
    const database = new Database({
      url: test.loginUrl,
      replicaUrls: [toReplica(test.loginUrl)],
      poolSize: 2,
      onReplicaChange: (_name, _state, cause) => causes.push(cause),
    });
    try {
      for (let round = 0; round < 3; round++) {
        const scope = { ...systemScope, replicaRead: database.beginReplicaRead() };
        expect(await database.query(scope, readOne)).toEqual([{ one: 1 }]);
        for await (const rows of streamRows(database, scope, readOne)) expect(rows).toEqual([{ one: 1 }]);
      }
      expect(database.replicas?.readsOfPrimary).toBe(6);
      expect(database.replicas?.replicas.map(({ state, reads }) => [state, reads])).toEqual([
        ['unreachable', 0],
      ]);
      // Once, although it is checked again and again.
      await until(
        () => causes.length,
        (count) => count > 0,
      );
      expect(causes).toHaveLength(1);
      expect(String((causes[0] as Error).cause)).toMatch(reason);
      // Nothing is known about its data.
      expect(database.replicas?.replicas[0]?.lagMs).toBeNull();
    } finally {
      await database.close();
    }
  });

  it('have no metrics while they are the primary', async () => {
    const states: string[] = [];
    const database = new Database({
      url: test.loginUrl,
      replicaUrls: [test.loginUrl, test.loginUrl.replace(/:\d+\//, ':1/')],
      poolSize: 2,
      onReplicaChange: (_name, state) => states.push(state),
    });
    try {
      await until(
        () => states.toSorted(),
        (changes) => changes.length === 2,
      );
      expect(states.toSorted()).toEqual(['primary', 'unreachable']);
      const registry = new Registry();
      addDatabaseMetrics(registry, database);
      const text = await registry.metrics();
      expect(text.match(/^database_replica_(used|lag_seconds)\{.*/gm)).toEqual([
        'database_replica_used{replica="127.0.0.1:1"} 0',
      ]);
    } finally {
      await database.close();
    }
  });

  it('are none by default', () => {
    expect(test.database.beginReplicaRead()).toBeUndefined();
  });
});

describe('the position of the primary', () => {
  it('is read once for the requests that wait, and never before they arrived', async () => {
    const pools = new ServerPools({
      url: test.loginUrl,
      directUrl: null,
      poolSize: 1,
      prepare: prepareLeadingStatements,
      silenceTiming: defaultSilenceTiming,
      maxConnectionAgeMs: 60_000,
      onIdleError: () => undefined,
      onSilence: () => undefined,
    });
    const reader = new PrimaryPositionReader(pools.openSinglePool());
    try {
      const first = reader.read();
      for (let request = 0; request < 50; request++) expect(reader.read()).toBe(first);
      // The query is on its way.
      await new Promise(setImmediate);
      const second = reader.read();
      expect(second).not.toBe(first);
      expect(reader.read()).toBe(second);
      expect(parseLsn((await second).lsn)).toBeGreaterThanOrEqual(parseLsn((await first).lsn));
      expect((await second).timelineId).toBe((await first).timelineId);
    } finally {
      await reader.close();
      await pools.close();
    }
  });

  it('is compared as a number', () => {
    expect(parseLsn('0/FFFFFFFF')).toBeLessThan(parseLsn('1/0'));
    expect(parseLsn('2/16B3748')).toBeGreaterThan(parseLsn('1/FF000000'));
  });
});
