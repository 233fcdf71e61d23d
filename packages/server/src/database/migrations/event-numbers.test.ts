import pg from 'pg';
import { expect, it } from 'vitest';
import { createTestDatabase } from '../../../../../test/support/test-database.ts';
import { migrate } from './migrate.ts';
import { readMigrations } from './migrations.ts';

it('numbers events after those of the version before, and waits for a transaction that has written some', async () => {
  const test = await createTestDatabase('nothing');
  const migrations = await readMigrations();
  await migrate({ ...test, migrations: migrations.filter(({ name }) => name < '0055') });
  const clients = [0, 1].map(
    () => new pg.Client({ connectionString: test.ownerUrl, options: '-c search_path=keyfront' }),
  );
  const [writer, other] = clients as [pg.Client, pg.Client];
  for (const client of clients) await client.connect();
  const record = (client: pg.Client, type: string) =>
    client.query(`INSERT INTO events (type, snapshot) VALUES ($1, '{}')`, [type]);
  try {
    // The plan of the insert is kept by the session.
    for (let count = 0; count < 7; count++) await record(writer, 'strain.created');
    await writer.query('BEGIN');
    await record(writer, 'strain.updated');
    // It has its id before the migration, and writes its event afterwards.
    await other.query('BEGIN; SELECT pg_current_xact_id()');
    const messages: string[] = [];
    let noteWaiting = () => {};
    const waiting = new Promise<void>((resolve) => {
      noteWaiting = resolve;
    });
    const migrating = migrate({
      ...test,
      migrations,
      onProgress: (message) => {
        messages.push(message);
        if (/^Waiting for a lock/.test(message)) noteWaiting();
      },
    });
    await Promise.race([waiting, migrating]);
    expect(messages.at(-1)).toMatch(/^Waiting for a lock: .*0055_event_numbers/);
    await writer.query('COMMIT');
    await migrating;
    await record(writer, 'strain.out_of_stock');
    await record(other, 'strain.back_in_stock');
    const readable = `SELECT type FROM events WHERE transaction_number < event_horizon()
      ORDER BY transaction_number, sequence_number OFFSET 6`;
    const typesOf = ({ rows }: pg.QueryResult<{ type: string }>) => rows.map(({ type }) => type);
    const before = ['strain.created', 'strain.updated', 'strain.out_of_stock'];
    expect(typesOf(await writer.query(readable))).toEqual(before);
    await other.query('COMMIT');
    expect(typesOf(await writer.query(readable))).toEqual([...before, 'strain.back_in_stock']);
  } finally {
    for (const client of clients) await client.end();
    await test.close();
  }
});
