import { EventEmitter } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { anyHolder } from '../../../../test/support/any-holder.ts';
import { countWaitingForLock } from '../../../../test/support/connections.ts';
import { createTestDatabase, runSql, type TestDatabase } from '../../../../test/support/test-database.ts';
import { until } from '../../../../test/support/until.ts';
import { type ClientConnection, ClientDisconnected } from './client-connection.ts';
import { Database } from './database.ts';
import type { AdministratorScope } from './scope.ts';
import { statement } from './statement.ts';

class Caller extends EventEmitter implements ClientConnection {
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

const administrator: AdministratorScope = {
  role: 'administrator',
  walletAddress: anyHolder.walletAddress,
};
/** As PostgreSQL's protocol has it. */
const cancelRequestCode = 80_877_102;
const sleep = statement('test.sleep', 'SELECT pg_sleep(600)');
const one = statement<{ n: number }>('test.one', 'SELECT 1 AS n');

let test: TestDatabase;
beforeAll(async () => {
  test = await createTestDatabase();
});
afterAll(() => test.drop());

/** The processes of PostgreSQL that sleep. */
const sleepers = () =>
  runSql<{ pid: number }>(
    test.ownerUrl,
    `SELECT pid FROM pg_stat_activity
     WHERE datname = current_database() AND state = 'active' AND query LIKE '%pg_sleep(600)' AND pid <> pg_backend_pid()`,
  );
const stillThere = (processes: { pid: number }[]) =>
  runSql<{ pid: number }>(
    test.ownerUrl,
    `SELECT pid FROM pg_stat_activity WHERE pid IN (${processes.map(({ pid }) => pid).join()})`,
  );

describe.each([
  ['holder', anyHolder],
  ['administrator', administrator],
])('a query of a %s who has gone', (_role, scope) => {
  it('is ended in the database, and its connection serves the next ones', async () => {
    const callers = Array.from({ length: 3 }, () => new Caller());
    const queries = callers.map((presence) => test.database.query({ ...scope, presence }, sleep));
    const outcomes = Promise.allSettled(queries);
    const sleeping = await until(sleepers, ({ length }) => length === 3);
    for (const caller of callers) caller.go();
    // The database ends them by itself too, but only when this patience is long over.
    await until(sleepers, ({ length }) => length === 0);
    expect(await outcomes).toEqual(
      Array(3).fill({ status: 'rejected', reason: expect.objectContaining({ name: 'ClientDisconnected' }) }),
    );
    expect(await stillThere(sleeping)).toHaveLength(3);
    const next = Array.from({ length: 20 }, () => test.database.query(scope, one));
    expect(await Promise.all(next)).toEqual(Array(20).fill([{ n: 1 }]));
  });

  it('is not even begun', async () => {
    const presence = new Caller();
    presence.go();
    await expect(test.database.query({ ...scope, presence }, sleep)).rejects.toThrow(ClientDisconnected);
    expect(presence.listenerCount('gone')).toBe(0);
  });
});

it('a query of a caller who stays runs to its end, and listens no longer', async () => {
  const presence = new Caller();
  expect(await test.database.query({ ...anyHolder, presence }, one)).toEqual([{ n: 1 }]);
  expect(presence.listenerCount('gone')).toBe(0);
});

/** Stands before the database. Hands everything on, but requests to cancel only when it is told to. */
async function startGate(databaseUrl: string) {
  const target = new URL(databaseUrl);
  const sockets: Socket[] = [];
  const requests: (() => void)[] = [];
  // Half open: whoever asks for the end of a query says no more after that, and waits for an answer.
  const server = createServer({ allowHalfOpen: true }, (service) => {
    sockets.push(service.on('error', () => undefined));
    service.once('data', (first) => {
      const handOn = () => {
        const database = connect(Number(target.port), target.hostname);
        sockets.push(database.on('error', () => undefined));
        database.write(first);
        service.pipe(database).pipe(service);
      };
      if (first.readInt32BE(4) === cancelRequestCode) requests.push(handOn);
      else handOn();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = new URL(databaseUrl);
  url.port = String((server.address() as AddressInfo).port);
  return {
    url: url.toString(),
    requests,
    close: () => {
      for (const socket of sockets) socket.destroy();
      server.close();
    },
  };
}

it('a request to cancel that is too late for its query hits no other one', async () => {
  const gate = await startGate(test.loginUrl);
  // With one connection, so that the next query needs the very one of the first.
  const database = new Database({ url: gate.url, poolSize: 1 });
  const other = new pg.Client({ connectionString: test.ownerUrl });
  await other.connect();
  const waitFor = statement<{ n: number }>('test.wait', 'SELECT 1 AS n FROM pg_advisory_xact_lock($1)');
  const waiting = () => countWaitingForLock(test.ownerUrl);
  try {
    await other.query('SELECT pg_advisory_lock(1), pg_advisory_lock(2)');
    const presence = new Caller();
    const first = database.query({ ...anyHolder, presence }, waitFor, [1]);
    await until(waiting, (count) => count === 1);
    presence.go();
    await until(
      async () => gate.requests.length,
      (count) => count === 1,
    );
    await other.query('SELECT pg_advisory_unlock(1)');
    await until(waiting, (count) => count === 0);
    const second = database.query(anyHolder, waitFor, [2]);
    // Begun now, it would be cancelled. Looked at several times, since it would not begin in an instant.
    for (let look = 0; look < 5; look++) expect(await waiting()).toBe(0);
    for (const handOn of gate.requests) handOn();
    expect(await first).toEqual([{ n: 1 }]);
    await until(waiting, (count) => count === 1);
    await other.query('SELECT pg_advisory_unlock(2)');
    expect(await second).toEqual([{ n: 1 }]);
  } finally {
    await other.end();
    await database.close();
    gate.close();
  }
});
