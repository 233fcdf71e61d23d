import { execFile } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { type EmbeddedPostgres, startEmbeddedPostgres } from '@keyfront/embedded-postgres';
import { statement } from '@keyfront/postgres';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Standby, startStandby } from '../../../../../faults/src/processes/standby.ts';
import { streamRows } from '../../../../../test/support/stream-rows.ts';
import { runSql } from '../../../../../test/support/test-database.ts';
import { until } from '../../../../../test/support/until.ts';
import { Database } from '../database.ts';
import { migrate } from '../migrations/migrate.ts';
import { readMigrations } from '../migrations/migrations.ts';
import { type HolderScope, type Scope, systemScope } from '../transactions/scope.ts';

/** A primary and its streaming replica. Two instances of the service use both. */
let primary: EmbeddedPostgres;
let standby: Standby;
let folder: string;
let here: Database;
let elsewhere: Database;
const changes: string[] = [];

const holders = ['1', '2'].map((digit) => `0x${digit.repeat(40)}`);
const openDatabase = (replicaPort = standby.port) =>
  new Database({
    url: primary.loginUrl,
    replicaUrls: [primary.loginUrl.replace(`:${primary.port}/`, `:${replicaPort}/`)],
    poolSize: 3,
    catchUpTimeoutMs: 2_000,
    onReplicaChange: (_name, state) => changes.push(state),
  });

const startPrimary = (name: string) =>
  startEmbeddedPostgres({
    dataFolder: join(folder, name),
    database: 'shop',
    owner: { name: 'shop_owner', password: 'the owner' },
    login: { name: 'shop', password: 'the service' },
    // Otherwise commits reach the replica only when the log writer wakes up.
    durable: true,
  });

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'keyfront-replicas-'));
  primary = await startPrimary('primary');
  await migrate({ ...primary, migrations: await readMigrations() });
  await runSql(
    primary.ownerUrl,
    `SET search_path = keyfront;
     INSERT INTO planets (number, name) VALUES (1, 'Verdane');
     INSERT INTO holders (wallet_address) VALUES ('${holders[0]}'), ('${holders[1]}');
     INSERT INTO digital_keys (token_id, holder_id, planet_id)
       SELECT row_number() OVER (ORDER BY wallet_address), holders.id, planets.id FROM holders, planets`,
  );
  standby = await startStandby(primary.ownerUrl, join(folder, 'standby'), { isSynchronous: false });
  here = openDatabase();
  elsewhere = openDatabase();
  await untilUsed();
});
afterAll(async () => {
  await here.close();
  await elsewhere.close();
  await standby.stop();
  await primary.stop();
  await rm(folder, { recursive: true, force: true });
});

const replicaOf = ({ replicas }: Database) => replicas?.replicas[0];
const untilUsed = () =>
  until(
    () => [here, elsewhere].map((database) => replicaOf(database)?.state),
    (states) => states.every((state) => state === 'used'),
  );

/** The scope of a request that may read from the replica. */
const reading = (database: Database, scope: Scope = systemScope): Scope => ({
  ...scope,
  replicaRead: database.beginReplicaRead(),
});

const listNumbers = statement<{ number: number; isReplica: boolean }>(
  'test.list-planets',
  'SELECT number, pg_is_in_recovery() AS "isReplica" FROM planets ORDER BY number DESC',
);
const addPlanet = statement<never>(
  'test.add-planet',
  `INSERT INTO planets (number, name) VALUES ($1::int, 'Planet ' || $1::int)`,
);
let lastNumber = 1;
const write = async (database: Database) => {
  lastNumber++;
  await database.query(systemScope, addPlanet, [lastNumber]);
  return lastNumber;
};

describe('a replica that keeps up', () => {
  it('serves reads, and shows at once whatever was acknowledged before, on every instance', async () => {
    const readsBefore = replicaOf(elsewhere)?.reads ?? 0;
    let fromReplica = 0;
    for (let round = 0; round < 100; round++) {
      const number = await write(here);
      const [newest] = await elsewhere.query(reading(elsewhere), listNumbers);
      expect(newest?.number).toBe(number);
      if (newest?.isReplica) fromReplica++;
    }
    expect(fromReplica).toBeGreaterThan(0);
    expect((replicaOf(elsewhere)?.reads ?? 0) - readsBefore).toBeGreaterThan(0);
  });

  it('is not used by a scope that does not ask for it, or by a transaction', async () => {
    const [direct] = await here.query(systemScope, listNumbers);
    expect(direct?.isReplica).toBe(false);
    const rows = await here.transaction(reading(here), (tx) => tx(listNumbers));
    expect(rows[0]?.isReplica).toBe(false);
  });

  it('keeps the data of holders apart', async () => {
    const rows = await runSql<{ id: string; walletAddress: string }>(
      primary.ownerUrl,
      'SELECT id, wallet_address AS "walletAddress" FROM keyfront.holders ORDER BY wallet_address',
    );
    const listKeys = statement<{ tokenId: number; isReplica: boolean }>(
      'test.list-keys',
      'SELECT token_id AS "tokenId", pg_is_in_recovery() AS "isReplica" FROM digital_keys',
    );
    await untilUsed();
    for (const [index, { id, walletAddress }] of rows.entries()) {
      const tokenId = index + 1;
      const scope: HolderScope = { role: 'holder', holderId: id, tokenId, walletAddress };
      expect(await here.query(reading(here, scope), listKeys)).toEqual([{ tokenId, isReplica: true }]);
      for await (const batch of streamRows(here, reading(here, scope), listKeys)) {
        expect(batch).toEqual([{ tokenId, isReplica: true }]);
      }
    }
  });

  it('serves streams', async () => {
    const number = await write(here);
    for await (const [first] of streamRows(here, reading(here), listNumbers)) {
      expect(first?.number).toBe(number);
    }
  });

  it('passes errors of statements on', async () => {
    await untilUsed();
    const wrong = statement('test.wrong', `SELECT 'x'::int`);
    await expect(here.query(reading(here), wrong)).rejects.toMatchObject({ code: '22P02' });
    expect(replicaOf(here)?.state).toBe('used');
  });
});

describe('a replica of a copy', () => {
  it('is never used, although it has the same history and has replayed more', async () => {
    // The same files, as a snapshot of the disk gives them.
    await here.close();
    await elsewhere.close();
    await standby.stop();
    await primary.stop();
    await promisify(execFile)('cp', ['-a', join(folder, 'primary'), join(folder, 'copy')]);
    primary = await startPrimary('primary');
    const copy = await startPrimary('copy');
    const copyStandby = await startStandby(copy.ownerUrl, join(folder, 'copy-standby'), {
      isSynchronous: false,
    });
    standby = await startStandby(primary.ownerUrl, join(folder, 'next-standby'), { isSynchronous: false });
    await runSql(
      copy.ownerUrl,
      'CREATE TABLE public.filler AS SELECT repeat(md5(n::text), 20) FROM generate_series(1, 20000) AS n',
    );
    here = openDatabase();
    elsewhere = openDatabase();
    const database = openDatabase(copyStandby.port);
    try {
      await untilUsed();
      // Its first check has found it.
      await until(
        () => replicaOf(database)?.state,
        (state) => state === 'lagging',
      );
      const number = await write(here);
      const [newest] = await database.query(reading(database), listNumbers);
      expect(newest).toEqual({ number, isReplica: false });
    } finally {
      await database.close();
      await copyStandby.stop();
      await copy.stop();
    }
  });
});

describe('a replica that cannot serve', () => {
  it('is left out while it lags, and taken back', async () => {
    await runSql(standby.ownerUrl, 'SELECT pg_wal_replay_pause()');
    const number = await write(here);
    const [newest] = await elsewhere.query(reading(elsewhere), listNumbers);
    expect(newest).toEqual({ number, isReplica: false });
    for await (const [first] of streamRows(here, reading(here), listNumbers))
      expect(first?.number).toBe(number);
    expect(replicaOf(here)?.state).toBe('lagging');
    const logs = ['standby', 'next-standby']
      .map((name) => join(folder, name, 'postgres.log'))
      .filter((path) => existsSync(path));
    const countErrors = () => logs.flatMap((path) => readFileSync(path, 'utf8').split(' ERROR: ')).length;
    const before = countErrors();
    await until(
      () => replicaOf(here)?.lagMs ?? 0,
      (lagMs) => lagMs > 2_000,
    );
    // Every process asks it again and again. That is no error.
    expect(countErrors()).toBe(before);
    await runSql(standby.ownerUrl, 'SELECT pg_wal_replay_resume()');
    await untilUsed();
    await until(
      () => replicaOf(here)?.lagMs,
      (lagMs) => lagMs === 0,
    );
    const [after] = await elsewhere.query(reading(elsewhere), listNumbers);
    expect(after?.number).toBe(number);
  });

  it('is left out when it dies, while no read fails, and taken back', async () => {
    changes.length = 0;
    const number = await write(here);
    let isDead = false;
    const reads = (async () => {
      let count = 0;
      while (!isDead || count < 20) {
        const [newest] = await here.query(reading(here), listNumbers);
        expect(newest?.number).toBe(number);
        count++;
      }
    })();
    await standby.kill();
    isDead = true;
    await reads;
    expect(changes).toContain('unreachable');
    await standby.restart();
    await untilUsed();
    const [newest] = await here.query(reading(here), listNumbers);
    expect(newest).toEqual({ number, isReplica: true });
  });

  // The last test: it gives the servers two histories.
  it('is left out when it is promoted, and never shows another history', async () => {
    await untilUsed();
    const scope = reading(here);
    await standby.promote();
    await runSql(standby.ownerUrl, `INSERT INTO keyfront.planets (number, name) VALUES (99999, 'Lost')`);
    const number = await write(here);
    for (const each of [scope, reading(here), reading(elsewhere)]) {
      const [newest] = await here.query(each, listNumbers);
      expect(newest).toEqual({ number, isReplica: false });
    }
    await until(
      () => replicaOf(here)?.state,
      (state) => state === 'unreachable',
    );
  });
});
