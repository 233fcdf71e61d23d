import { afterAll, beforeAll, expect, it } from 'vitest';
import { createTestDatabase, runSql, type TestDatabase } from '../../../../../test/support/test-database.ts';
import { deleteRequestNonces } from './delete-expired.ts';

let test: TestDatabase;
beforeAll(async () => {
  test = await createTestDatabase();
});
afterAll(() => test.close());

it('deletes all nonces that have expired and no others', async () => {
  // The table refuses nonces that have expired. Those here have expired since.
  await runSql(test.ownerUrl, 'ALTER TABLE keyfront.request_nonces DISABLE TRIGGER refuse_expired_nonce');
  await runSql(
    test.ownerUrl,
    `INSERT INTO keyfront.request_nonces (key_id, nonce_hash, holder_id, expires_at)
     SELECT gen_random_uuid(), sha256('x'), gen_random_uuid(), now() + (number - 11000) * interval '1 minute'
     FROM generate_series(1, 11003) AS number`,
  );
  await deleteRequestNonces.work(test.database, new AbortController().signal);
  const [row] = await runSql(test.ownerUrl, 'SELECT count(*)::int FROM keyfront.request_nonces');
  expect(row).toEqual({ count: 3 });
});
