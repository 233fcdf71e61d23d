import pg from 'pg';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../../../../../../test/support/test-database.ts';
import { dispatchBatch } from './dispatch-events.ts';

let test: TestDatabase;
let owner: pg.Client;
beforeAll(async () => {
  test = await createTestDatabase();
  owner = new pg.Client({ connectionString: test.ownerUrl, options: '-c search_path=keyfront' });
  await owner.connect();
  await owner.query(`
    INSERT INTO planets (number, name) VALUES (1, 'Verdane');
    INSERT INTO holders (wallet_address) VALUES ('0x${'1'.repeat(40)}');
    INSERT INTO digital_keys (token_id, holder_id, planet_id)
      SELECT token, holders.id, planets.id FROM holders, planets, generate_series(1, 2) AS token;
    INSERT INTO webhooks (token_id, holder_id, url, event_types)
      SELECT token_id, holder_id, 'https://receiver.example/', '{*}' FROM digital_keys;`);
});
afterAll(async () => {
  await owner.end();
  await test.close();
});

/** Writes events of one digital key, or of the catalogue. */
const record = (type: string, tokenId: number | null, count = 1) =>
  owner.query(
    `INSERT INTO events (token_id, type, snapshot) SELECT $1, $2, '{}' FROM generate_series(1, $3)`,
    [tokenId, type, count],
  );
const dispatch = () => dispatchBatch(test.database);
/** Removes what was queued. Returns the deliveries of each job. */
async function takeJobs(): Promise<number[]> {
  const { rows } = await owner.query<{ count: number }>(
    `WITH taken AS (DELETE FROM keyfront_queue._private_jobs RETURNING id, payload)
     SELECT json_array_length(payload -> 'attempts') AS count FROM taken ORDER BY id`,
  );
  return rows.map(({ count }) => count);
}

it('queues one job with all new events of a webhook, and leaves nothing for a second batch', async () => {
  await record('order.created', 1, 120);
  await record('order.created', 2, 3);
  expect(await dispatch()).toBe(false);
  expect((await takeJobs()).sort()).toEqual([120, 3]);
  expect(await dispatch()).toBe(false);
  expect(await takeJobs()).toEqual([]);
});

it('goes on after a full batch, and after an event for everybody', async () => {
  await record('order.created', 1, 500);
  await record('order.created', 1);
  expect(await dispatch()).toBe(true);
  expect(await takeJobs()).toEqual([500]);
  expect(await dispatch()).toBe(false);
  expect(await takeJobs()).toEqual([1]);

  await record('order.created', 1);
  await record('strain.updated', null);
  await record('order.created', 1);
  expect(await dispatch()).toBe(true);
  expect((await takeJobs()).sort()).toEqual([1, 2]);
  expect(await dispatch()).toBe(false);
  expect(await takeJobs()).toEqual([1]);
});
