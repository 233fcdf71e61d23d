import { afterAll, afterEach, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { startBlackHole } from '../../../../../test/support/black-hole.ts';
import { scaled } from '../../../../../test/support/scale.ts';
import { createTestDatabase, runSql, type TestDatabase } from '../../../../../test/support/test-database.ts';
import { until } from '../../../../../test/support/until.ts';
import { ChangeFeed, type ChangeTopic, waitUntilAcknowledged } from './change-feed.ts';

let test: TestDatabase;
beforeAll(async () => {
  test = await createTestDatabase();
});
afterAll(() => test.close());

const feeds: ChangeFeed[] = [];
afterEach(async () => {
  await Promise.all(feeds.splice(0).map((feed) => feed.close()));
});

/** A process that caches one value, and uses it only while it trusts its cache. */
async function startProcess(topic: ChangeTopic = 'keys', url = test.loginUrl) {
  let cached: number | null = null;
  let lost = 0;
  const feed = new ChangeFeed({
    url,
    onLost: () => {
      lost++;
    },
  });
  feed.onChange(topic, () => {
    cached = null;
  });
  feeds.push(feed);
  await feed.start();
  return {
    feed,
    cache: (value: number) => {
      cached = value;
    },
    readCache: () => (feed.isTrusted ? cached : null),
    countLosses: () => lost,
  };
}

/** Does what the triggers do when a key is revoked. Returns the number of the change. */
const announceChange = async () => {
  const rows = await runSql<{ change: number }>(
    test.ownerUrl,
    'SELECT keyfront.announce_key_change() AS change',
  );
  return rows[0]?.change ?? 0;
};

/** Does what the triggers do when the catalogue changes. */
const announceCatalogueChange = () => runSql(test.ownerUrl, `NOTIFY keyfront_catalogue_changes, ''`);

const terminateListeners = () =>
  runSql(
    test.ownerUrl,
    `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
     WHERE application_name = 'keyfront changes' AND datname = current_database()`,
  );

const listVanishedLeases = () =>
  runSql(
    test.ownerUrl,
    `SELECT FROM keyfront.cache_leases WHERE id NOT IN (
       SELECT objid::bigint FROM pg_locks JOIN pg_database ON pg_database.oid = database
       WHERE locktype = 'advisory' AND classid = 1801812327 AND datname = current_database())`,
  );

describe('a change feed', () => {
  it('is trusted after its start, and clears the cache at a change', async () => {
    const one = await startProcess();
    expect(one.feed.isTrusted).toBe(true);
    one.cache(1);
    expect(one.readCache()).toBe(1);
    await waitUntilAcknowledged(test.database, await announceChange());
    expect(one.readCache()).toBeNull();
    expect(one.feed.isTrusted).toBe(true);
    one.cache(2);
    expect(one.readCache()).toBe(2);
  });

  it('guarantees after the wait that no process uses what it cached before', async () => {
    const processes = await Promise.all(Array.from({ length: 4 }, () => startProcess()));
    for (let round = 0; round < scaled(20); round++) {
      for (const each of processes) each.cache(round);
      // Several at once, as when holders revoke keys at the same time.
      await Promise.all(
        Array.from({ length: 3 }, async () => {
          await waitUntilAcknowledged(test.database, await announceChange());
          expect(processes.map((each) => each.readCache())).toEqual([null, null, null, null]);
        }),
      );
    }
  });

  it('is not trusted while its connection is lost, and clears the cache before it is trusted again', async () => {
    const one = await startProcess();
    one.cache(1);
    await terminateListeners();
    await expect.poll(() => one.countLosses()).toBe(1);
    expect(one.feed.isTrusted).toBe(false);
    await expect.poll(() => one.feed.isTrusted).toBe(true);
    expect(one.readCache()).toBeNull();
  });

  it('reports changes of keys and of the catalogue separately, on one connection', async () => {
    const feed = new ChangeFeed({ url: test.loginUrl });
    feeds.push(feed);
    const calls = { keys: 0, catalogue: 0 };
    feed.onChange('keys', () => calls.keys++);
    feed.onChange('catalogue', () => calls.catalogue++);
    await feed.start();
    const atStart = { ...calls };
    expect(atStart.catalogue).toBe(1);
    const listeners = await runSql<{ count: string }>(
      test.ownerUrl,
      `SELECT count(*) FROM pg_stat_activity
       WHERE application_name = 'keyfront changes' AND datname = current_database()`,
    );
    expect(listeners).toEqual([{ count: '1' }]);
    await announceCatalogueChange();
    await expect.poll(() => calls.catalogue).toBe(2);
    expect(calls.keys).toBe(atStart.keys);
    await waitUntilAcknowledged(test.database, await announceChange());
    expect(calls).toEqual({ keys: atStart.keys + 1, catalogue: 2 });
  });

  it('clears the cache of the catalogue too when its connection was lost', async () => {
    const one = await startProcess('catalogue');
    one.cache(1);
    await terminateListeners();
    await expect.poll(() => one.countLosses()).toBe(1);
    expect(one.readCache()).toBeNull();
    await expect.poll(() => one.feed.isTrusted).toBe(true);
    expect(one.readCache()).toBeNull();
  });

  it('does not delay the wait after its process has ended', async () => {
    const one = await startProcess();
    await one.feed.close();
    expect(one.feed.isTrusted).toBe(false);
    await waitUntilAcknowledged(test.database, await announceChange());
  });

  it('whose session has ended without its knowledge delays the wait until it no longer trusts its cache', {
    tags: ['long'],
  }, async () => {
    const network = await startBlackHole(test.loginUrl);
    onTestFinished(() => network.close());
    const unaware = await Promise.all([
      startProcess('keys', network.url),
      startProcess('sessions', network.url),
    ]);
    const aware = await startProcess();
    for (const each of unaware) each.cache(1);
    // They hear neither of the end of their sessions nor of the change.
    network.swallow();
    await terminateListeners();
    await expect.poll(() => aware.feed.isTrusted).toBe(true);
    await waitUntilAcknowledged(test.database, await announceChange());
    expect(unaware.map((each) => each.readCache())).toEqual([null, null]);
    // Their leases are over, so that the next change need not wait for them.
    await until(listVanishedLeases, (leases) => leases.length === 0);
    const startedAt = performance.now();
    await waitUntilAcknowledged(test.database, await announceChange());
    expect(performance.now() - startedAt).toBeLessThan(3_000);
  });

  it('that hangs delays the wait only until it no longer trusts its cache', { tags: ['long'] }, async () => {
    const one = await startProcess();
    // A session that holds the lock and never responds, as behind a broken network.
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
    const startedAt = performance.now();
    await waitUntilAcknowledged(test.database, await announceChange());
    expect(one.readCache()).toBeNull();
    // A process trusts its cache for three seconds after the last heartbeat.
    expect(performance.now() - startedAt).toBeGreaterThan(3_000);
    await runSql(
      test.ownerUrl,
      `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE query LIKE '%pg_sleep(20)%' AND pid <> pg_backend_pid()`,
    );
    await hanging;
  });
});
