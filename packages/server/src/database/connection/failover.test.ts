import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type EmbeddedPostgres, startEmbeddedPostgres } from '@keyfront/embedded-postgres';
import { DatabaseUnavailable, statement } from '@keyfront/postgres';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, inject, it } from 'vitest';
import { withDatabase } from '../../../../../test/support/database-url.ts';
import { createTestDatabase, runSql, type TestDatabase } from '../../../../../test/support/test-database.ts';
import { until } from '../../../../../test/support/until.ts';
import { ChangeFeed } from '../coordination/change-feed.ts';
import { Database } from '../database.ts';
import { migrate } from '../migrations/migrate.ts';
import { type Migration, readMigrations } from '../migrations/migrations.ts';
import { systemScope } from '../transactions/scope.ts';

/** Two servers with the same database. Only one of them accepts writes at a time, like a primary and its standby. */
let first: EmbeddedPostgres;
let second: TestDatabase;
let folder: string;
let url: string;
let migrations: Migration[];

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'keyfront-failover-'));
  second = await createTestDatabase();
  const [owner, login] = [new URL(inject('clusterOwnerUrl')), new URL(inject('clusterLoginUrl'))];
  first = await startEmbeddedPostgres({
    dataFolder: folder,
    database: new URL(second.loginUrl).pathname.slice(1),
    owner: { name: owner.username, password: decodeURIComponent(owner.password) },
    login: { name: login.username, password: decodeURIComponent(login.password) },
    durable: false,
  });
  migrations = await readMigrations();
  await migrate({ ...first, migrations });
  const { host } = new URL(first.loginUrl);
  url = second.loginUrl.replace('@', `@${host},`);
});
afterAll(async () => {
  await first.stop();
  await second.close();
  await rm(folder, { recursive: true, force: true });
});

const setReadOnly = async ({ ownerUrl }: { ownerUrl: string }, isReadOnly: boolean) => {
  const name = new URL(ownerUrl).pathname.slice(1);
  await runSql(
    withDatabase(ownerUrl, 'postgres'),
    `ALTER DATABASE ${name} SET default_transaction_read_only = ${isReadOnly ? 'on' : 'off'}`,
  );
};
/** Takes effect in open sessions too. */
const demoteFirst = async () => {
  await runSql(first.ownerUrl, 'ALTER SYSTEM SET default_transaction_read_only = on');
  await runSql(first.ownerUrl, 'SELECT pg_reload_conf()');
  await until(
    () => runSql(first.loginUrl, 'SHOW default_transaction_read_only'),
    ([row]) => row?.default_transaction_read_only === 'on',
  );
};
const promoteFirst = async () => {
  await runSql(first.ownerUrl, 'ALTER SYSTEM RESET default_transaction_read_only');
  await runSql(first.ownerUrl, 'SELECT pg_reload_conf()');
  await until(
    () => runSql(first.loginUrl, 'SHOW default_transaction_read_only'),
    ([row]) => row?.default_transaction_read_only === 'off',
  );
};

beforeEach(async () => {
  await promoteFirst();
  await setReadOnly(second, true);
});

const opened: { close(): Promise<void> }[] = [];
const open = (databaseUrl: string, poolSize = 3): Database => {
  const database = new Database({ url: databaseUrl, poolSize });
  opened.push(database);
  return database;
};
afterEach(async () => {
  await Promise.all(opened.splice(0).map((each) => each.close()));
});

const readPort = statement<{ port: string }>('test.port', `SELECT current_setting('port') AS port`);
const write = statement('test.write', 'SELECT announce_key_change()');
const portOf = (server: { loginUrl: string }) => new URL(server.loginUrl).port;
const currentPort = async (database: Database) => (await database.query(systemScope, readPort))[0]?.port;

describe('a migration', () => {
  it('creates the work queue on the server that accepts writes, wherever the URL names it', async () => {
    await runSql(first.ownerUrl, 'DROP SCHEMA keyfront_queue CASCADE');
    const ownerUrl = first.ownerUrl.replace('@', `@${new URL(second.ownerUrl).host},`);
    await migrate({ ownerUrl, loginUrl: first.loginUrl, migrations });
    expect(await open(first.loginUrl).isReady(migrations)).toBe(true);
    const [queue] = await runSql(first.ownerUrl, `SELECT to_regclass('keyfront_queue.jobs') AS jobs`);
    expect(queue).toEqual({ jobs: 'keyfront_queue.jobs' });
  });
});

describe('a server that became read-only', () => {
  it('is unavailable for writes, not ready, and its connections are closed', async () => {
    const database = open(first.loginUrl);
    expect(await database.isReady(migrations)).toBe(true);
    const pids = statement<{ pid: number }>('test.pid', 'SELECT pg_backend_pid() AS pid');
    const [before] = await database.queryShared(pids);
    await demoteFirst();
    await until(
      () =>
        database.queryShared(write).then(
          () => null,
          (error: unknown) => error,
        ),
      (error) => error !== null,
    ).then((error) => {
      expect(error).toBeInstanceOf(DatabaseUnavailable);
      expect(error).toMatchObject({ cause: { code: '25006' } });
    });
    await expect(database.transaction(systemScope, (tx) => tx(write))).rejects.toBeInstanceOf(
      DatabaseUnavailable,
    );
    const [after] = await database.queryShared(pids);
    expect(after?.pid).not.toBe(before?.pid);
    await expect(database.isReady(migrations)).rejects.toBeInstanceOf(DatabaseUnavailable);
    await promoteFirst();
    await until(
      () => database.isReady(migrations).catch(() => false),
      (isReady) => isReady,
    );
    await database.queryShared(write);
  });
});

describe('a server that cannot create files, as with a full disk', () => {
  it('is not ready, although it can write to the files that it has', async () => {
    const database = open(first.loginUrl);
    const configure = async (change: string) => {
      await runSql(first.ownerUrl, `ALTER SYSTEM ${change}`);
      await runSql(first.ownerUrl, 'SELECT pg_reload_conf()');
    };
    const readiness = () => database.isReady(migrations).catch((error: unknown) => error);
    expect(await readiness()).toBe(true);
    await configure('SET temp_file_limit = 0');
    expect(await until(readiness, (result) => result !== true)).toBeInstanceOf(DatabaseUnavailable);
    await database.queryShared(write);
    await configure('RESET temp_file_limit');
    await until(readiness, (result) => result === true);
  });
});

describe('several servers', () => {
  it('are tried in order until one accepts writes', async () => {
    expect(await currentPort(open(url))).toBe(portOf(first));
    await demoteFirst();
    await setReadOnly(second, false);
    expect(await currentPort(open(url))).toBe(portOf(second));
    // The login user owns nothing, but verifies the schema of the server that accepts writes.
    await migrate({ ownerUrl: url, loginUrl: url, migrations });
  });

  it('may be in any state if the URL says so', async () => {
    await demoteFirst();
    expect(await currentPort(open(`${url}&target_session_attrs=any`))).toBe(portOf(first));
  });

  it('are unavailable while none accepts writes', async () => {
    await demoteFirst();
    await expect(currentPort(open(url))).rejects.toMatchObject({
      name: 'DatabaseUnavailable',
      cause: { message: 'The server accepts no writes' },
    });
  });

  it('that include one that is not there use the other', async () => {
    const nowhere = second.loginUrl.replace('@', '@127.0.0.1:1,');
    await setReadOnly(second, false);
    expect(await currentPort(open(nowhere))).toBe(portOf(second));
  });

  it('are all tried by a call that also has to replace old connections', async () => {
    const database = open(url, 3);
    await Promise.all(Array.from({ length: 3 }, () => database.queryShared(write)));
    expect(database.poolUsage().total).toBe(3);
    await setReadOnly(second, false);
    await demoteFirst();
    await until(
      () => database.queryShared(write).then(() => null, String),
      (error) => error !== null,
    );
    await database.queryShared(write);
    expect(database.poolUsage().total).toBe(1);
  });

  it('change their parts while the service runs, and open connections follow', async () => {
    const database = open(url, 2);
    const feed = new ChangeFeed({ url });
    opened.push(feed);
    await feed.start();
    const both = await Promise.all([
      currentPort(database),
      currentPort(database),
      database.queryShared(write),
    ]);
    expect(both.slice(0, 2)).toEqual([portOf(first), portOf(first)]);
    expect(feed.isTrusted).toBe(true);
    await setReadOnly(second, false);
    await demoteFirst();
    // A caller sees at most 503 until then. Nothing is written to the old primary.
    const outcomes: unknown[] = [];
    await until(
      async () => {
        outcomes.push(
          await database.queryShared(write).then(
            () => 'written',
            (error: unknown) => error,
          ),
        );
        return currentPort(database).catch(() => null);
      },
      (port) => port === portOf(second),
    );
    for (const outcome of outcomes)
      if (outcome !== 'written') expect(outcome).toBeInstanceOf(DatabaseUnavailable);
    await database.queryShared(write);
    expect(await database.isReady(migrations)).toBe(true);
    await until(
      () =>
        runSql(
          second.ownerUrl,
          `SELECT FROM pg_stat_activity WHERE application_name = 'keyfront changes'
        AND datname = current_database()`,
        ),
      (listeners) => listeners.length === 1,
    );
    await until(
      () => feed.isTrusted,
      (isTrusted) => isTrusted,
    );
  });
});
