import { afterAll, beforeAll, expect, it } from 'vitest';
import {
  createTestDatabase,
  runSql,
  type TestDatabase,
} from '../../../../../../test/support/test-database.ts';
import { deleteOldDeliveries } from './delete-old-deliveries.ts';

const dayMs = 86_400_000;

let test: TestDatabase;
beforeAll(async () => {
  test = await createTestDatabase();
});
afterAll(() => test.close());

it('deletes deliveries with their event, however late it was replayed, and tests by their own age', {
  tags: ['long'],
}, async () => {
  // Days since the delivery and since its event, which a test has not.
  const ages: [name: string, delivery: number, event: number | null][] = [
    ['replayed late', 1, 31],
    ['old', 31, 31],
    ['old test', 31, null],
    ['recent', 1, 1],
    ['replayed early', 1, 29],
    ['recent test', 1, null],
  ];
  for (const [name, delivery, event] of ages) {
    await runSql(
      test.ownerUrl,
      `INSERT INTO keyfront.webhook_deliveries (webhook_id, token_id, holder_id, event_type, created_at, event_created_at,
         event_transaction_number, event_sequence_number)
       SELECT gen_random_uuid(), 1, gen_random_uuid(), '${name}', now() - ${delivery} * interval '1 day', event, -extract(epoch FROM now() - event),
         CASE WHEN event IS NOT NULL THEN 1 END
       FROM (SELECT now() - ${event ?? 'NULL'} * interval '1 day' AS event) AS event`,
    );
  }
  await deleteOldDeliveries(30 * dayMs).work(test.database, new AbortController().signal);
  const kept = await runSql<{ event_type: string }>(
    test.ownerUrl,
    'SELECT event_type FROM keyfront.webhook_deliveries',
  );
  expect(kept.map(({ event_type }) => event_type).sort()).toEqual([
    'recent',
    'recent test',
    'replayed early',
  ]);
});
