import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { createTestDatabase, runSql, type TestDatabase } from '../../../../test/support/test-database.ts';
import { ChangeFeed, type ChangeTopic, waitUntilForgotten } from './change-feed.ts';

let test: TestDatabase;
beforeAll(async () => {
  test = await createTestDatabase();
});
afterAll(() => test.drop());

const feeds: ChangeFeed[] = [];
afterEach(async () => {
  await Promise.all(feeds.splice(0).map((feed) => feed.close()));
});

/** A process that remembers one thing, and reads it anew when it has forgotten or does not trust itself. */
async function startProcess(topic: ChangeTopic = 'keys') {
  let remembered: number | null = null;
  let forgotten = 0;
  let lost = 0;
  const feed = new ChangeFeed({
    url: test.loginUrl,
    onLost: () => {
      lost++;
    },
  });
  feed.onChange(topic, () => {
    forgotten++;
    remembered = null;
  });
  feeds.push(feed);
  await feed.start();
  return {
    feed,
    remember: (value: number) => {
      remembered = value;
    },
    recall: () => (feed.isTrusted ? remembered : null),
    forgotten: () => forgotten,
    lost: () => lost,
  };
}

/** What the triggers do when a key is revoked; gives the number of the change. */
const change = async () => {
  const rows = await runSql<{ change: number }>(
    test.ownerUrl,
    'SELECT keyfront.announce_key_change() AS change',
  );
  return rows[0]?.change ?? 0;
};

/** What the triggers do when the catalogue changes. */
const changeCatalogue = () => runSql(test.ownerUrl, `NOTIFY keyfront_catalogue_changes, ''`);

const endListeners = () =>
  runSql(
    test.ownerUrl,
    `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
     WHERE application_name = 'keyfront changes' AND datname = current_database()`,
  );

describe('a change feed', () => {
  it('is trusted from its start on, and forgets at a change', async () => {
    const one = await startProcess();
    expect(one.feed.isTrusted).toBe(true);
    one.remember(1);
    expect(one.recall()).toBe(1);
    await waitUntilForgotten(test.database, await change());
    expect(one.recall()).toBeNull();
    expect(one.feed.isTrusted).toBe(true);
    one.remember(2);
    expect(one.recall()).toBe(2);
  });

  it('lets nobody who waited see what any process remembered before', async () => {
    const processes = await Promise.all(Array.from({ length: 4 }, () => startProcess()));
    for (let round = 0; round < 25; round++) {
      for (const each of processes) each.remember(round);
      // Several at once, as when holders revoke at the same moment.
      await Promise.all(
        Array.from({ length: 3 }, async () => {
          await waitUntilForgotten(test.database, await change());
          expect(processes.map((each) => each.recall())).toEqual([null, null, null, null]);
        }),
      );
    }
  });

  it('is not trusted while its connection is lost, and forgets before it is again', async () => {
    const one = await startProcess();
    one.remember(1);
    await endListeners();
    await expect.poll(() => one.lost()).toBe(1);
    expect(one.feed.isTrusted).toBe(false);
    await expect.poll(() => one.feed.isTrusted).toBe(true);
    expect(one.recall()).toBeNull();
  });

  it('tells of keys and of the catalogue on one connection, each for itself', async () => {
    const feed = new ChangeFeed({ url: test.loginUrl });
    feeds.push(feed);
    const told = { keys: 0, catalogue: 0 };
    feed.onChange('keys', () => told.keys++);
    feed.onChange('catalogue', () => told.catalogue++);
    await feed.start();
    const atStart = { ...told };
    expect(atStart.catalogue).toBe(1);
    const listeners = await runSql<{ count: string }>(
      test.ownerUrl,
      `SELECT count(*) FROM pg_stat_activity
       WHERE application_name = 'keyfront changes' AND datname = current_database()`,
    );
    expect(listeners).toEqual([{ count: '1' }]);
    await changeCatalogue();
    await expect.poll(() => told.catalogue).toBe(2);
    expect(told.keys).toBe(atStart.keys);
    await waitUntilForgotten(test.database, await change());
    expect(told).toEqual({ keys: atStart.keys + 1, catalogue: 2 });
  });

  it('has the catalogue forgotten too when its connection was lost', async () => {
    const one = await startProcess('catalogue');
    one.remember(1);
    await endListeners();
    await expect.poll(() => one.lost()).toBe(1);
    expect(one.recall()).toBeNull();
    await expect.poll(() => one.feed.isTrusted).toBe(true);
    expect(one.recall()).toBeNull();
  });

  it('does not keep anybody waiting once its process is gone', async () => {
    const one = await startProcess();
    await one.feed.close();
    expect(one.feed.isTrusted).toBe(false);
    await waitUntilForgotten(test.database, await change());
  });

  it('that hangs keeps a waiter no longer than it trusts itself', async () => {
    const one = await startProcess();
    // A session that holds the lock and never reacts, as behind a broken network.
    const hanging = runSql(
      test.ownerUrl,
      'SELECT pg_advisory_lock_shared(1801812326, 0), pg_sleep(20)',
    ).catch(() => undefined);
    await expect
      .poll(() =>
        runSql(
          test.ownerUrl,
          `SELECT FROM pg_locks JOIN pg_stat_activity USING (pid)
           WHERE locktype = 'advisory' AND granted AND query LIKE '%pg_sleep(20)%' AND pid <> pg_backend_pid()`,
        ),
      )
      .toHaveLength(1);
    const began = performance.now();
    await waitUntilForgotten(test.database, await change());
    expect(one.recall()).toBeNull();
    // Three seconds is how long a process trusts itself without a sign of life.
    expect(performance.now() - began).toBeGreaterThan(3_000);
    await runSql(
      test.ownerUrl,
      `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE query LIKE '%pg_sleep(20)%' AND pid <> pg_backend_pid()`,
    );
    await hanging;
  });
});
