import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../../../../../test/support/test-database.ts';
import { Database } from '../database.ts';
import { systemScope } from '../scope.ts';
import { ServerPools } from '../server-pools.ts';
import { defaultSilenceTiming } from '../silence-watch.ts';
import { statement } from '../statement.ts';
import { PrimaryPositionReader, parseLsn } from './primary-position.ts';

let test: TestDatabase;
beforeAll(async () => {
  test = await createTestDatabase();
});
afterAll(() => test.drop());

const readOne = statement<{ one: number }>('test.one', 'SELECT 1 AS one');

describe('replicas that cannot be used', () => {
  it.each([
    ['is not there', (url: string) => url.replace(/:\d+\//, ':1/')],
    ['is no replica', (url: string) => url],
  ])('leave all reads to the primary: one %s', async (_what, toReplica) => {
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
        for await (const rows of database.stream(scope, readOne)) expect(rows).toEqual([{ one: 1 }]);
      }
      expect(database.replicas?.readsOfPrimary).toBe(6);
      expect(database.replicas?.replicas.map(({ state, reads }) => [state, reads])).toEqual([
        ['unreachable', 0],
      ]);
      // It was never used, so nothing has changed.
      expect(causes).toEqual([]);
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
