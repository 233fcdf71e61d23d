import { EventEmitter } from 'node:events';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTestDatabase, runSql, type TestDatabase } from '../../../../test/support/test-database.ts';
import { until } from '../../../../test/support/until.ts';
import { CallerGone, type Presence } from './presence.ts';
import type { AdministratorScope, HolderScope } from './scope.ts';
import { statement } from './statement.ts';

class Caller extends EventEmitter implements Presence {
  isGone = false;

  go(): void {
    this.isGone = true;
    this.emit('gone');
  }

  onGone(listener: () => void): () => void {
    this.once('gone', listener);
    return () => this.off('gone', listener);
  }
}

const walletAddress = `0x${'a'.repeat(40)}`;
const holder: HolderScope = {
  role: 'holder',
  holderId: '019a8f3e-7c00-7000-8000-0000000000aa',
  tokenId: 7,
  walletAddress,
};
const administrator: AdministratorScope = { role: 'administrator', walletAddress };
const sleep = statement('test.sleep', 'SELECT pg_sleep(600)');
const one = statement<{ n: number }>('test.one', 'SELECT 1 AS n');

let test: TestDatabase;
beforeAll(async () => {
  test = await createTestDatabase();
});
afterAll(() => test.drop());

const sleepers = async () => {
  const rows = await runSql<{ pid: number }>(
    test.ownerUrl,
    `SELECT pid FROM pg_stat_activity
     WHERE datname = current_database() AND state = 'active' AND query LIKE '%pg_sleep(600)' AND pid <> pg_backend_pid()`,
  );
  return rows.length;
};

describe.each([
  ['holder', holder],
  ['administrator', administrator],
])('a query of a %s who has gone', (_role, scope) => {
  it('is ended in the database, and its connection serves the next ones', async () => {
    const callers = Array.from({ length: 3 }, () => new Caller());
    const queries = callers.map((presence) => test.database.query({ ...scope, presence }, sleep));
    const outcomes = Promise.allSettled(queries);
    await until(sleepers, (count) => count === 3);
    for (const caller of callers) caller.go();
    expect((await outcomes).map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected']);
    expect(await sleepers()).toBe(0);
    const next = Array.from({ length: 20 }, () => test.database.query(scope, one));
    expect(await Promise.all(next)).toEqual(Array(20).fill([{ n: 1 }]));
  });

  it('is not even begun', async () => {
    const presence = new Caller();
    presence.go();
    await expect(test.database.query({ ...scope, presence }, sleep)).rejects.toThrow(CallerGone);
    expect(presence.listenerCount('gone')).toBe(0);
  });
});

it('a query of a caller who stays runs to its end, and listens no longer', async () => {
  const presence = new Caller();
  expect(await test.database.query({ ...holder, presence }, one)).toEqual([{ n: 1 }]);
  expect(presence.listenerCount('gone')).toBe(0);
});
