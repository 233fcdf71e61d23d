import { expect, it } from 'vitest';
import { createTestDatabase, runSql } from '../../../../test/support/test-database.ts';
import { migrate } from './migrate.ts';
import { readMigrations } from './migrations.ts';
import { systemScope } from './scope.ts';
import { statement } from './statement.ts';

const insertEvent = statement<{ number: number }>(
  'test.insert-event',
  `INSERT INTO events (type, snapshot) VALUES ('strain.created', '{}') RETURNING transaction_number AS number`,
);
const countReadable = statement<{ count: number }>(
  'test.count-readable',
  'SELECT count(*) FROM events WHERE transaction_number < event_horizon()',
);

it('goes on counting in a database that was restored into a server with lower transaction ids', async () => {
  const test = await createTestDatabase();
  try {
    const start = async () => {
      await migrate({ ...test, migrations: await readMigrations() });
      const [event] = await test.database.query(systemScope, insertEvent);
      return event?.number ?? 0;
    };
    const first = await start();
    const second = await start();
    expect(second).toBeGreaterThan(first);
    // As if the server that wrote the event had run for much longer.
    const [restored] = await runSql<{ number: string }>(
      test.ownerUrl,
      `UPDATE keyfront.events SET transaction_number = transaction_number + 1000000 WHERE transaction_number = $1
       RETURNING transaction_number AS number`,
      [second],
    );
    await runSql(
      test.ownerUrl,
      `CREATE OR REPLACE FUNCTION keyfront.event_server() RETURNS text LANGUAGE sql IMMUTABLE AS 'SELECT ''another'''`,
    );
    const third = await start();
    expect(third).toBeGreaterThan(Number(restored?.number));
    expect(third).toBeLessThan(Number(restored?.number) + 10_000);
    expect(await start()).toBeGreaterThan(third);
    // Readable as soon as no transaction of the server is running any more.
    await expect
      .poll(async () => (await test.database.query(systemScope, countReadable))[0]?.count, {
        timeout: 30_000,
      })
      .toBe(4);
  } finally {
    await test.close();
  }
});
