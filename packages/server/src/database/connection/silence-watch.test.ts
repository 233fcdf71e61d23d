import { DatabaseUnavailable, type SilenceTiming, statement } from '@keyfront/postgres';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { anyHolder } from '../../../../../test/support/any-holder.ts';
import { type BlackHole, startBlackHole } from '../../../../../test/support/black-hole.ts';
import { streamRows } from '../../../../../test/support/stream-rows.ts';
import { createTestDatabase, runSql, type TestDatabase } from '../../../../../test/support/test-database.ts';
import { until } from '../../../../../test/support/until.ts';
import { ChangeFeed } from '../coordination/change-feed.ts';
import { tryToBecomeLeader } from '../coordination/leadership.ts';
import { Database } from '../database.ts';
import { systemScope } from '../transactions/scope.ts';

let test: TestDatabase;
beforeAll(async () => {
  test = await createTestDatabase();
});
afterAll(() => test.close());

const soon: SilenceTiming = { checkIntervalMs: 20, silenceMs: 50, probeTimeoutMs: 200 };

async function openBehind(network: BlackHole, silenceTiming?: SilenceTiming) {
  let silences = 0;
  const database = new Database({
    url: network.url,
    poolSize: 2,
    onSilence: () => silences++,
    ...(silenceTiming && { silenceTiming }),
  });
  onTestFinished(async () => {
    await network.close();
    await database.close();
  });
  return { database, countSilences: () => silences };
}

const one = statement<{ n: number }>('test.one', 'SELECT 1 AS n');
const sleep = statement('test.sleep', 'SELECT pg_sleep($1)');

describe('a network that loses everything', () => {
  it('makes a request fail within ten seconds, on an open connection and on a new one', {
    tags: ['long'],
  }, async () => {
    const network = await startBlackHole(test.loginUrl);
    const { database } = await openBehind(network);
    await database.query(anyHolder, one);
    network.swallow();
    const startedAt = performance.now();
    const results = await Promise.allSettled([
      database.query(anyHolder, one),
      database.transaction(systemScope, (tx) => tx(one)),
      streamRows(database, anyHolder, one).next(),
    ]);
    for (const result of results)
      expect(result).toMatchObject({ status: 'rejected', reason: expect.any(DatabaseUnavailable) });
    expect(performance.now() - startedAt).toBeLessThan(10_000);
    network.restore();
    expect(await database.query(anyHolder, one)).toEqual([{ n: 1 }]);
  });

  it('retires the idle connections too', async () => {
    const network = await startBlackHole(test.loginUrl);
    const { database, countSilences } = await openBehind(network, soon);
    await Promise.all([database.query(anyHolder, one), database.query(anyHolder, one)]);
    network.swallow();
    await expect(database.query(anyHolder, one)).rejects.toBeInstanceOf(DatabaseUnavailable);
    network.restore();
    // The other connection is as silent as the first. Nobody else has to find that out.
    expect(await database.query(anyHolder, one)).toEqual([{ n: 1 }]);
    expect(countSilences()).toBe(1);
  });

  it('is noticed if it forgot only the connection, as a router does with idle ones', async () => {
    const network = await startBlackHole(test.loginUrl);
    const { database, countSilences } = await openBehind(network, soon);
    await database.query(anyHolder, one);
    network.swallow();
    network.restore();
    await expect(database.query(anyHolder, one)).rejects.toBeInstanceOf(DatabaseUnavailable);
    expect(countSilences()).toBe(1);
    expect(await database.query(anyHolder, one)).toEqual([{ n: 1 }]);
  });
});

describe('a slow statement', () => {
  it('is not taken for a lost connection', async () => {
    const network = await startBlackHole(test.loginUrl);
    const { database, countSilences } = await openBehind(network, { ...soon, probeTimeoutMs: 10_000 });
    await database.query(anyHolder, sleep, [1]);
    await database.transaction(systemScope, async (tx) => {
      await tx(one);
      await new Promise((resolve) => setTimeout(resolve, 300));
      await tx(sleep, [0.3]);
    });
    expect(countSilences()).toBe(0);
  });
});

describe('the change feed', () => {
  it('replaces a connection that misses a heartbeat', async () => {
    const network = await startBlackHole(test.loginUrl);
    let losses = 0;
    const timing = { heartbeatMs: 100, trustMs: 500 };
    const feed = new ChangeFeed({ url: network.url, onLost: () => losses++, timing });
    onTestFinished(async () => {
      await feed.close();
      await network.close();
    });
    await feed.start();
    expect(feed.isTrusted).toBe(true);
    network.swallow();
    network.restore();
    await until(
      () => losses,
      (count) => count === 1,
    );
    expect(feed.isTrusted).toBe(false);
    await until(
      () => feed.isTrusted,
      (isTrusted) => isTrusted,
    );
  });

  it('closes at once behind a network that is silent', async () => {
    const network = await startBlackHole(test.loginUrl);
    onTestFinished(() => network.close());
    const feed = new ChangeFeed({ url: network.url });
    await feed.start();
    network.swallow();
    await feed.close();
    const late = new ChangeFeed({ url: network.url });
    const starting = late.start();
    await late.close();
    await starting;
  });
});

describe('a leader', () => {
  it('gives up when its connection misses a heartbeat', async () => {
    const network = await startBlackHole(test.loginUrl);
    onTestFinished(() => network.close());
    const leadership = await tryToBecomeLeader(network.url, 'test', { intervalMs: 20, timeoutMs: 200 });
    expect(leadership?.signal.aborted).toBe(false);
    expect(await tryToBecomeLeader(test.loginUrl, 'test')).toBeNull();
    network.swallow();
    await until(
      () => leadership?.signal.aborted,
      (isAborted) => isAborted === true,
    );
    await leadership?.resign();
    await runSql(
      test.ownerUrl,
      `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
       WHERE application_name = 'keyfront test' AND datname = current_database()`,
    );
  });
});
