import { afterAll, afterEach, beforeAll, expect, it, vi } from 'vitest';
import { createTestDatabase, runSql, type TestDatabase } from '../../../../../test/support/test-database.ts';
import { deleteOldEvents } from './delete-old-events.ts';

let test: TestDatabase;
beforeAll(async () => {
  test = await createTestDatabase();
});
afterAll(() => test.close());
afterEach(() => vi.useRealTimers());

const dayMs = 24 * 60 * 60_000;

it('deletes the events that are old by the clock of the database, whatever the clock of the process says', async () => {
  await runSql(
    test.ownerUrl,
    `INSERT INTO keyfront.events (type, snapshot, created_at)
     SELECT 'planet.updated', '{}', now() - (100 - number) * interval '1 day' FROM generate_series(1, 99) AS number`,
  );
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 40 * dayMs });
  await deleteOldEvents(30 * dayMs).work(test.database, new AbortController().signal);
  const [row] = await runSql(test.ownerUrl, 'SELECT count(*)::int FROM keyfront.events');
  expect(row).toEqual({ count: 29 });
});
