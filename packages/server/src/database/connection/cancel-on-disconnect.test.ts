import { EventEmitter } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { statement } from '@keyfront/postgres';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { anyHolder } from '../../../../../test/support/any-holder.ts';
import { countWaitingForLock } from '../../../../../test/support/connections.ts';
import { createTestDatabase, runSql, type TestDatabase } from '../../../../../test/support/test-database.ts';
import { until } from '../../../../../test/support/until.ts';
import { type ClientConnection, ClientDisconnected } from '../../lib/request/client-connection.ts';
import { Database } from '../database.ts';
import type { AdministratorScope } from '../transactions/scope.ts';

class TestConnection extends EventEmitter implements ClientConnection {
  isClosed = false;

  close(): void {
    this.isClosed = true;
    this.emit('close');
  }

  onClose(listener: () => void): () => void {
    this.once('close', listener);
    return () => this.off('close', listener);
  }
}

const administrator: AdministratorScope = {
  role: 'administrator',
  walletAddress: anyHolder.walletAddress,
};
/** Fixed by PostgreSQL's protocol. */
const cancelRequestCode = 80_877_102;
const sleep = statement('test.sleep', 'SELECT pg_sleep(600)');
const one = statement<{ n: number }>('test.one', 'SELECT 1 AS n');

let test: TestDatabase;
beforeAll(async () => {
  test = await createTestDatabase();
});
afterAll(() => test.close());

/** Lists the server processes that run the sleeping query. */
const listSleeping = () =>
  runSql<{ pid: number }>(
    test.ownerUrl,
    `SELECT pid FROM pg_stat_activity
     WHERE datname = current_database() AND state = 'active' AND query LIKE '%pg_sleep(600)' AND pid <> pg_backend_pid()`,
  );
const listAlive = (processes: { pid: number }[]) =>
  runSql<{ pid: number }>(
    test.ownerUrl,
    `SELECT pid FROM pg_stat_activity WHERE pid IN (${processes.map(({ pid }) => pid).join()})`,
  );

describe.each([
  ['holder', anyHolder],
  ['administrator', administrator],
])('a query of a %s who has disconnected', (_role, scope) => {
  it('is cancelled in the database, and its connection can be used again', async () => {
    const connections = Array.from({ length: 3 }, () => new TestConnection());
    const queries = connections.map((clientConnection) =>
      test.database.query({ ...scope, clientConnection }, sleep),
    );
    const outcomes = Promise.allSettled(queries);
    const sleeping = await until(listSleeping, ({ length }) => length === 3);
    for (const connection of connections) connection.close();
    // The statement timeout would end them too, but only after this test has failed.
    await until(listSleeping, ({ length }) => length === 0);
    expect(await outcomes).toEqual(
      Array(3).fill({ status: 'rejected', reason: expect.objectContaining({ name: 'ClientDisconnected' }) }),
    );
    expect(await listAlive(sleeping)).toHaveLength(3);
    const next = Array.from({ length: 20 }, () => test.database.query(scope, one));
    expect(await Promise.all(next)).toEqual(Array(20).fill([{ n: 1 }]));
  });

  it('is not sent', async () => {
    const clientConnection = new TestConnection();
    clientConnection.close();
    await expect(test.database.query({ ...scope, clientConnection }, sleep)).rejects.toThrow(
      ClientDisconnected,
    );
    expect(clientConnection.listenerCount('close')).toBe(0);
  });
});

it('removes its listener after a query that was not cancelled', async () => {
  const clientConnection = new TestConnection();
  expect(await test.database.query({ ...anyHolder, clientConnection }, one)).toEqual([{ n: 1 }]);
  expect(clientConnection.listenerCount('close')).toBe(0);
});

/** A proxy that forwards everything at once, except cancel requests, which it forwards when the test says so. */
async function startProxy(databaseUrl: string) {
  const target = new URL(databaseUrl);
  const sockets: Socket[] = [];
  const cancelRequests: (() => void)[] = [];
  // The sender of a cancel request closes its side first, and waits for the server to close the other.
  const server = createServer({ allowHalfOpen: true }, (socket) => {
    sockets.push(socket.on('error', () => undefined));
    socket.once('data', (first) => {
      const forward = () => {
        const database = connect(Number(target.port), target.hostname);
        sockets.push(database.on('error', () => undefined));
        database.write(first);
        socket.pipe(database).pipe(socket);
      };
      if (first.readInt32BE(4) === cancelRequestCode) cancelRequests.push(forward);
      else forward();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = new URL(databaseUrl);
  url.port = String((server.address() as AddressInfo).port);
  return {
    url: url.toString(),
    cancelRequests,
    close: () => {
      for (const each of sockets) each.destroy();
      server.close();
    },
  };
}

it('never cancels the next query of the connection when a cancel request arrives late', async () => {
  const proxy = await startProxy(test.loginUrl);
  // With one connection, so that the second query needs the connection of the first.
  const database = new Database({ url: proxy.url, poolSize: 1 });
  const other = new pg.Client({ connectionString: test.ownerUrl });
  await other.connect();
  const waitFor = statement<{ n: number }>('test.wait', 'SELECT 1 AS n FROM pg_advisory_xact_lock($1)');
  const waiting = () => countWaitingForLock(test.ownerUrl);
  try {
    await other.query('SELECT pg_advisory_lock(1), pg_advisory_lock(2)');
    const clientConnection = new TestConnection();
    const first = database.query({ ...anyHolder, clientConnection }, waitFor, [1]);
    await until(waiting, (count) => count === 1);
    clientConnection.close();
    await until(
      async () => proxy.cancelRequests.length,
      (count) => count === 1,
    );
    await other.query('SELECT pg_advisory_unlock(1)');
    await until(waiting, (count) => count === 0);
    const second = database.query(anyHolder, waitFor, [2]);
    // If the second query ran already, the request would cancel it. Checked several times, since it would take a moment.
    for (let check = 0; check < 5; check++) expect(await waiting()).toBe(0);
    for (const forward of proxy.cancelRequests) forward();
    expect(await first).toEqual([{ n: 1 }]);
    await until(waiting, (count) => count === 1);
    await other.query('SELECT pg_advisory_unlock(2)');
    expect(await second).toEqual([{ n: 1 }]);
  } finally {
    await other.end();
    await database.close();
    proxy.close();
  }
});
