import pg from 'pg';
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { startBlackHole } from '../../../../../test/support/black-hole.ts';
import { createTestDatabase, runSql, type TestDatabase } from '../../../../../test/support/test-database.ts';
import { until } from '../../../../../test/support/until.ts';
import { migrate } from './migrate.ts';
import type { Migration } from './migrations.ts';

let test: TestDatabase;
beforeAll(async () => {
  test = await createTestDatabase('nothing');
});
afterAll(() => test.close());
beforeEach(() => runSql(test.ownerUrl, 'DROP SCHEMA IF EXISTS keyfront CASCADE'));

const migration = (name: string, sql: string): Migration => ({ name, sql, checksum: `checksum of ${sql}` });
const createNotes = migration(
  '0001_notes.sql',
  `CREATE TABLE notes AS SELECT n FROM generate_series(1, 100) AS n;
   GRANT SELECT ON notes TO keyfront_platform`,
);
const addColumn = migration('0002_column.sql', 'ALTER TABLE notes ADD COLUMN added int');

const listApplied = async () =>
  (await runSql<{ name: string }>(test.ownerUrl, 'SELECT name FROM keyfront.migrations ORDER BY name')).map(
    ({ name }) => name,
  );

/** Counts the sessions that work on a statement with this text. */
const countAtWork = async (text: string) =>
  (
    await runSql(
      test.ownerUrl,
      `SELECT FROM pg_stat_activity WHERE application_name = 'keyfront migration' AND datname = current_database()
         AND state = 'active' AND position($1 in query) > 0`,
      [text],
    )
  ).length;

const countSleeping = () => countAtWork('pg_sleep(600)');

/** Opens a transaction that reads the table until it is ended, as an export does. */
async function openReader() {
  const reader = new pg.Client({ connectionString: test.ownerUrl });
  await reader.connect();
  await reader.query('BEGIN ISOLATION LEVEL REPEATABLE READ; SELECT FROM keyfront.notes LIMIT 1');
  let isOpen = true;
  const end = async () => {
    if (isOpen) await reader.end();
    isOpen = false;
  };
  onTestFinished(end);
  return { end };
}

describe('a migration that needs a table in use', () => {
  it('does not make others wait, and is applied when the table is free', { tags: ['long'] }, async () => {
    await migrate({ ...test, migrations: [createNotes] });
    const reader = await openReader();
    const messages: string[] = [];
    const migrating = migrate({
      ...test,
      migrations: [createNotes, addColumn],
      onProgress: (message) => messages.push(message),
    });
    await until(
      () => messages,
      (all) => all.some((message) => message.startsWith('Waiting for a lock')),
    );
    // Behind a migration that waits for its lock, every one of these would wait until the reader has ended.
    const startedAt = performance.now();
    for (let round = 0; round < 20; round++) await runSql(test.ownerUrl, 'SELECT FROM keyfront.notes');
    expect(performance.now() - startedAt).toBeLessThan(20_000);
    expect(await listApplied()).toEqual([createNotes.name]);
    await reader.end();
    await migrating;
    expect(await listApplied()).toEqual([createNotes.name, addColumn.name]);
    expect(messages).toEqual([
      'Applying migration 0002_column.sql',
      'Waiting for a lock: a table of the migration 0002_column.sql is in use',
    ]);
  });

  it('fails with a sentence if the table never becomes free', async () => {
    await migrate({ ...test, migrations: [createNotes] });
    await openReader();
    const migrating = migrate({
      ...test,
      migrations: [createNotes, addColumn],
      timing: { lockTimeoutMs: 10, giveUpAfterMs: 100 },
    });
    await expect(migrating).rejects.toThrow(
      /^The migration 0002_column\.sql did not get its locks, because a transaction keeps its tables in use: end that/,
    );
  });
});

describe('a migration without a transaction', () => {
  const createIndex = migration(
    '0002_index.sql',
    `-- no-transaction
-- Does not stop running instances; a semicolon in a comment; or in 'a;b' separates nothing.
CREATE INDEX CONCURRENTLY IF NOT EXISTS notes_n ON notes (n) WHERE n::text <> 'a;b';

CREATE INDEX CONCURRENTLY IF NOT EXISTS notes_twice ON notes ((2 * n));
-- The end.
`,
  );
  const listIndexes = () =>
    runSql(
      test.ownerUrl,
      `SELECT indexrelid::regclass::text AS name, indisvalid AS "isValid" FROM pg_index
       WHERE indrelid = 'keyfront.notes'::regclass ORDER BY 1`,
    );
  const bothIndexes = [
    { name: 'keyfront.notes_n', isValid: true },
    { name: 'keyfront.notes_twice', isValid: true },
  ];

  it('creates indexes concurrently', async () => {
    await migrate({ ...test, migrations: [createNotes, createIndex] });
    expect(await listIndexes()).toEqual(bothIndexes);
    expect(await listApplied()).toEqual([createNotes.name, createIndex.name]);
  });

  it('replaces an invalid index that a failed attempt has left', async () => {
    await migrate({ ...test, migrations: [createNotes] });
    const unique = 'CREATE UNIQUE INDEX CONCURRENTLY notes_n ON keyfront.notes ((n % 10))';
    await expect(runSql(test.ownerUrl, unique)).rejects.toThrow(/could not create unique index/);
    expect(await listIndexes()).toEqual([{ name: 'keyfront.notes_n', isValid: false }]);
    await migrate({ ...test, migrations: [createNotes, createIndex] });
    expect(await listIndexes()).toEqual(bothIndexes);
  });

  it('waits for an open transaction while others write, also if several processes start at the same time', {
    tags: ['long'],
  }, async () => {
    await migrate({ ...test, migrations: [createNotes] });
    const reader = await openReader();
    const starting = Promise.all(
      Array.from({ length: 3 }, () => migrate({ ...test, migrations: [createNotes, createIndex] })),
    );
    await until(
      () => countAtWork('notes_n'),
      (count) => count === 1,
    );
    await runSql(test.ownerUrl, 'INSERT INTO keyfront.notes VALUES (101)');
    expect(await listApplied()).toEqual([createNotes.name]);
    await reader.end();
    await starting;
    expect(await listIndexes()).toEqual(bothIndexes);
  });

  it('that fails is not recorded', async () => {
    const broken = migration('0002_broken.sql', '-- no-transaction\nVACUUM notes;\nVACUUM nothing;\n');
    await expect(migrate({ ...test, migrations: [createNotes, broken] })).rejects.toThrow(
      /^The migration 0002_broken\.sql failed \(relation "nothing" does not exist\): remove the cause and start again\.$/,
    );
    expect(await listApplied()).toEqual([createNotes.name]);
  });
});

describe('a migration that is aborted', () => {
  const stopped = new Error('told to stop');

  it('ends at once, also in the database', async () => {
    const slow = migration('0002_slow.sql', 'SELECT pg_sleep(600)');
    for (const migrations of [[slow], [migration(slow.name, `-- no-transaction\n${slow.sql}`)]]) {
      const stopping = new AbortController();
      const migrating = migrate({ ...test, migrations, signal: stopping.signal });
      await until(countSleeping, (count) => count === 1);
      stopping.abort(stopped);
      await expect(migrating).rejects.toBe(stopped);
      await until(countSleeping, (count) => count === 0);
      expect(await listApplied()).toEqual([]);
    }
  });

  it('ends at once while it waits for its turn or for a lock', async () => {
    await migrate({ ...test, migrations: [createNotes] });
    await openReader();
    const first = new AbortController();
    const second = new AbortController();
    const messages: string[] = [];
    const onProgress = (message: string) => messages.push(message);
    const migrations = [createNotes, addColumn];
    const migrating = migrate({ ...test, migrations, onProgress, signal: first.signal });
    await until(
      () => messages,
      (all) => all.some((message) => message.startsWith('Waiting for a lock')),
    );
    const waiting = migrate({ ...test, migrations, onProgress, signal: second.signal });
    await until(
      () => messages,
      (all) => all.some((message) => message.startsWith('Waiting for another process')),
    );
    second.abort(stopped);
    await expect(waiting).rejects.toBe(stopped);
    first.abort(stopped);
    await expect(migrating).rejects.toBe(stopped);
  });
});

describe('a database that stops responding', () => {
  it('fails a statement of a migration, however long it may take', async () => {
    const network = await startBlackHole(test.ownerUrl);
    onTestFinished(() => network.close());
    const slow = migration('0001_slow.sql', 'SELECT pg_sleep(600)');
    const migrating = migrate({
      ownerUrl: network.url,
      loginUrl: network.url,
      migrations: [slow],
      timing: { watchIntervalMs: 100, statementTimeoutMs: 500 },
    });
    migrating.catch(() => undefined);
    await until(countSleeping, (count) => count === 1);
    network.swallow();
    await expect(migrating).rejects.toThrow(/^The migration 0001_slow\.sql failed.+\(Connection terminated/);
    await runSql(
      test.ownerUrl,
      `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
       WHERE application_name = 'keyfront migration' AND datname = current_database()`,
    );
  });

  it('does not fail one that PostgreSQL works on', async () => {
    const working = migration('0001_working.sql', 'SELECT pg_sleep(1)');
    await migrate({ ...test, migrations: [working], timing: { watchIntervalMs: 50 } });
    expect(await listApplied()).toEqual([working.name]);
  });

  it('fails the start within the deadline, and at once when the process is told to stop', async () => {
    const network = await startBlackHole(test.ownerUrl);
    onTestFinished(() => network.close());
    network.swallow();
    const options = { ownerUrl: network.url, loginUrl: network.url, migrations: [] };
    await expect(migrate({ ...options, timing: { statementTimeoutMs: 200 } })).rejects.toThrow(
      /^The database at 127\.0\.0\.1:\d+\/\w+ cannot be used \(.+\): check DATABASE_URL/,
    );
    const stopping = new AbortController();
    const migrating = migrate({ ...options, signal: stopping.signal });
    await until(
      () => network.connectionCount,
      (count) => count === 2,
    );
    stopping.abort(new Error('told to stop'));
    await expect(migrating).rejects.toThrow('told to stop');
  });
});
