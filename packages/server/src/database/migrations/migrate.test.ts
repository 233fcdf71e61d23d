import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterEach, describe, expect, it, onTestFinished } from 'vitest';
import { sampleMigrations } from '../../../../../test/support/sample-migrations.ts';
import { createTestDatabase, runSql, type TestDatabase } from '../../../../../test/support/test-database.ts';
import { migrate } from './migrate.ts';
import { type Migration, readMigrations } from './migrations.ts';

const opened: TestDatabase[] = [];
const emptyDatabase = async () => {
  const database = await createTestDatabase('nothing');
  opened.push(database);
  return database;
};
afterEach(async () => {
  await Promise.all(opened.splice(0).map((database) => database.close()));
});

const listApplied = async ({ ownerUrl }: TestDatabase) =>
  (await runSql<{ name: string }>(ownerUrl, 'SELECT name FROM keyfront.migrations ORDER BY name')).map(
    ({ name }) => name,
  );

const migration = (name: string, sql: string): Migration => ({ name, sql, checksum: `checksum of ${sql}` });
const samples = Object.entries(sampleMigrations).map(([name, sql]) => migration(name, sql));

describe('migrating', () => {
  it('applies every migration once, in order', async () => {
    const target = await emptyDatabase();
    const migrations = [...(await readMigrations()), ...samples];
    const messages: string[] = [];
    await migrate({ ...target, migrations, onProgress: (message) => messages.push(message) });
    expect(await listApplied(target)).toEqual(migrations.map(({ name }) => name));
    expect(messages[0]).toBe('Creating the schema');
    expect(messages).toHaveLength(migrations.length);
    messages.length = 0;
    await migrate({ ...target, migrations, onProgress: (message) => messages.push(message) });
    expect(messages).toEqual([]);
    expect(await target.database.hasMigrations(migrations)).toBe(true);
    expect(await target.database.hasMigrations([...migrations, migration('9999_x.sql', '')])).toBe(false);
  });

  it('runs in only one of several processes that start at the same time', { tags: ['long'] }, async () => {
    const target = await emptyDatabase();
    const migrations = await readMigrations();
    const messages: string[] = [];
    const onProgress = (message: string) => messages.push(message);
    await Promise.all(Array.from({ length: 8 }, () => migrate({ ...target, migrations, onProgress })));
    expect(messages.filter((message) => !message.startsWith('Waiting'))).toHaveLength(migrations.length);
  });

  it('names an extension that the server lacks, and what to do', async () => {
    const target = await emptyDatabase();
    const migrations = [migration('0001_a.sql', 'CREATE EXTENSION IF NOT EXISTS no_such_thing')];
    await expect(migrate({ ...target, migrations })).rejects.toThrow(
      /^The database needs the extension no_such_thing \(.+\): install the contrib package of PostgreSQL, or ask/,
    );
  });

  it('uses the extensions of a database that has them in another schema', { tags: ['long'] }, async () => {
    const target = await emptyDatabase();
    await runSql(target.ownerUrl, 'CREATE SCHEMA tools; CREATE EXTENSION pg_trgm SCHEMA tools');
    const migrations = await readMigrations();
    await migrate({ ...target, migrations });
    expect(await listApplied(target)).toEqual(migrations.map(({ name }) => name));
  });

  it('fails for a migration that was changed after it was applied', async () => {
    const target = await emptyDatabase();
    await migrate({ ...target, migrations: [migration('0001_a.sql', 'SELECT 1')] });
    await expect(migrate({ ...target, migrations: [migration('0001_a.sql', 'SELECT 2')] })).rejects.toThrow(
      /^The migration 0001_a\.sql was changed after it was applied to this database: restore the file/,
    );
  });

  it('fails for a database that is newer than the code', async () => {
    const target = await emptyDatabase();
    const older = [migration('0001_a.sql', 'SELECT 1')];
    await migrate({ ...target, migrations: [...older, migration('0002_b.sql', 'SELECT 2')] });
    await expect(migrate({ ...target, migrations: older })).rejects.toThrow(
      /0002_b\.sql, which this version of Keyfront does not have/,
    );
  });

  it('fails for a migration that comes before an applied one', async () => {
    const target = await emptyDatabase();
    await migrate({ ...target, migrations: [migration('0002_b.sql', 'SELECT 2')] });
    const migrations = [migration('0001_a.sql', 'SELECT 1'), migration('0002_b.sql', 'SELECT 2')];
    await expect(migrate({ ...target, migrations })).rejects.toThrow(/0001_a\.sql comes before 0002_b\.sql/);
  });

  it('rolls back a migration that fails, and keeps those before it', async () => {
    const target = await emptyDatabase();
    const migrations = [
      migration('0001_a.sql', 'CREATE TABLE kept (n int)'),
      migration('0002_b.sql', 'CREATE TABLE undone (n int); SELECT 1 / 0'),
    ];
    await expect(migrate({ ...target, migrations })).rejects.toThrow(
      /^The migration 0002_b\.sql failed and was rolled back \(division by zero\)/,
    );
    expect(await listApplied(target)).toEqual(['0001_a.sql']);
    const tables = await runSql(target.ownerUrl, `SELECT FROM pg_tables WHERE tablename = 'undone'`);
    expect(tables).toEqual([]);
  });

  it('reports an unreachable database without its password', async () => {
    const url = 'postgres://someone:open-sesame@127.0.0.1:1/shop';
    const failing = migrate({ ownerUrl: url, loginUrl: url, migrations: [] });
    await expect(failing).rejects.toThrow(
      /^The database at 127\.0\.0\.1:1\/shop cannot be used \(.+\): check DATABASE_URL and that the server is running\.$/,
    );
    await expect(failing).rejects.not.toThrow(/sesame/);
  });

  it('works for an owner who is not a superuser', { tags: ['long'] }, async () => {
    const target = await emptyDatabase();
    const name = new URL(target.ownerUrl).pathname.slice(1);
    const role = `owner_of_${name}`;
    await runSql(
      target.ownerUrl,
      `CREATE ROLE ${role} LOGIN PASSWORD 'x'; ALTER DATABASE ${name} OWNER TO ${role}`,
    );
    await runSql(target.ownerUrl, `GRANT keyfront_service, keyfront_platform TO ${role}`);
    const url = new URL(target.ownerUrl);
    url.username = role;
    url.password = 'x';
    const migrations = await readMigrations();
    await migrate({ ownerUrl: url.href, loginUrl: url.href, migrations });
    expect(await target.database.hasMigrations(migrations)).toBe(true);
    await target.database.verifyRoles();
    await runSql(
      target.ownerUrl,
      `REASSIGN OWNED BY ${role} TO CURRENT_USER; DROP OWNED BY ${role}; ALTER DATABASE ${name} OWNER TO CURRENT_USER`,
    );
    await runSql(target.ownerUrl, `DROP ROLE ${role}`);
  });
});

describe('a database from before the baseline', () => {
  it.each([
    ['has other migrations', `UPDATE keyfront.migrations SET name = '0001_scope.sql', checksum = 'x'`],
    ['has another baseline', `UPDATE keyfront.migrations SET checksum = 'x'`],
  ])('that %s is refused, and nothing in it changes', async (_case, sql) => {
    const target = await createTestDatabase();
    opened.push(target);
    await runSql(target.ownerUrl, sql);
    const before = await listApplied(target);
    const migrations = await readMigrations();
    const sentence =
      'The database was created by a development version of Keyfront from before 1.0.0, whose data cannot be carried over: ';
    await expect(migrate({ ...target, migrations: [...migrations, ...samples] })).rejects.toThrow(
      `${sentence}start on an empty database.`,
    );
    await expect(migrate({ ...target, migrations, dataFolder: '/var/lib/keyfront' })).rejects.toThrow(
      `${sentence}delete the data folder /var/lib/keyfront, or set KEYFRONT_DATA to another one, then start again.`,
    );
    expect(await listApplied(target)).toEqual(before);
  });
});

describe('the migration files', () => {
  it('are numbered without gaps, after the baseline', async () => {
    const numbers = (await readMigrations()).map(({ name }) => Number(name.slice(0, 4)));
    expect(numbers).toEqual(numbers.map((_, index) => index));
  });

  it('are read in order: those of the baseline as one, then the others', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'keyfront-migrations-'));
    onTestFinished(() => rm(folder, { recursive: true, force: true }));
    await mkdir(join(folder, 'baseline'));
    const files = {
      'baseline/02_b.sql': 'second;\r\n',
      'baseline/01_a.sql': 'first;\n',
      '0002_d.sql': 'fourth;\r\n',
      '0001_c.sql': 'third;\n',
      'README.md': 'Migrations',
    };
    for (const [name, text] of Object.entries(files)) await writeFile(join(folder, name), text);
    const read = await readMigrations(pathToFileURL(`${folder}/`));
    expect(read.map(({ name, sql }) => [name, sql])).toEqual([
      ['0000_baseline', 'first;\n\nsecond;\n'],
      ['0001_c.sql', 'third;\n'],
      ['0002_d.sql', 'fourth;\n'],
    ]);
    expect(new Set(read.map(({ checksum }) => checksum)).size).toBe(3);
  });
});

describe('a start as a user who does not own the schema', () => {
  const startAs = async (target: TestDatabase, migrations: readonly Migration[]) =>
    migrate({ ownerUrl: target.loginUrl, loginUrl: target.loginUrl, migrations });
  const advice =
    'and the database user keyfront_login does not own the schema: run "keyfront-server migrate" with ' +
    'DATABASE_OWNER_URL as the owner, then start again.';

  const migratedDatabase = async () => {
    const database = await createTestDatabase();
    opened.push(database);
    return database;
  };

  it('has nothing to do if the owner has migrated, and is refused otherwise', async () => {
    const migrations = await readMigrations();
    await expect(startAs(await emptyDatabase(), migrations)).rejects.toThrow(
      `The database is not migrated, ${advice}`,
    );
    const target = await migratedDatabase();
    await startAs(target, migrations);
    const next = migration('9999_next.sql', 'SELECT 1');
    await expect(startAs(target, [...migrations, next])).rejects.toThrow(
      `The database lacks the migration 9999_next.sql, ${advice}`,
    );
    await migrate({ ...target, migrations: [...migrations, next] });
    await expect(startAs(target, migrations)).rejects.toThrow(
      /^The database has the migration 9999_next\.sql, which this version of Keyfront does not have/,
    );
  });

  it('is refused if the work queue cannot be used', async () => {
    const target = await migratedDatabase();
    const migrations = await readMigrations();
    await runSql(target.ownerUrl, 'REVOKE USAGE ON SCHEMA keyfront_queue FROM keyfront_platform');
    await expect(startAs(target, migrations)).rejects.toThrow(`The work queue is not up to date, ${advice}`);
  });
});
