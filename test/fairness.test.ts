import { expect, it } from 'vitest';
import { ChangeFeed } from '../packages/server/src/database/coordination/change-feed.ts';
import { createConcurrencyLimits } from '../packages/server/src/limits/concurrency/concurrency-limits.ts';
import { countWaitingForLock, withLockedClients } from './support/connections.ts';
import { openCallers, type Reply, startStorefrontService } from './support/storefront.ts';
import { until } from './support/until.ts';

// Nothing times out while the machine is slow.
const timing = { queueTimeoutMs: 60_000, rejectionDelayMs: 1 };
const limits = createConcurrencyLimits({ poolSize: 5, streamPoolSize: 2 }, timing);
const storefront = await startStorefrontService((url) => new ChangeFeed({ url }), {
  concurrencyLimits: limits,
});
const { holder, sibling, stranger } = await openCallers(storefront);

const filters = 'orderBy=asc&startDate=&endDate=&search=&searchBy=&status=&paymentStatus=&adminApproval=';
const exportPath = `/orders/export?${filters}`;
const csv = { headers: { accept: 'text/csv' } };
const searchPath = '/dapp/orders?search=somebody';
/** Reads counters only. */
const quickPath = '/dapp/orders/summary';

const untilStuck = (count: number) =>
  until(
    () => countWaitingForLock(storefront.service.ownerUrl),
    (stuck) => stuck === count,
  );

const countStatuses = (replies: readonly Reply[], status: number) =>
  replies.filter((reply) => reply.status === status).length;

it('serves another holder at once while one holder has 92 exports and 120 searches', async () => {
  const { flood, replies } = await withLockedClients(storefront.owner, async () => {
    let refusals = 0;
    const countRefusal = (reply: Reply) => {
      refusals++;
      return reply;
    };
    const exports = Array.from({ length: 92 }, (_, index) =>
      // Two digital keys of one wallet share its places.
      (index % 2 ? holder : sibling).ask('GET', exportPath, csv).then(countRefusal),
    );
    const searches = Array.from({ length: 120 }, () => holder.ask('GET', searchPath).then(countRefusal));
    // One export and one search of the holder have reached the database, 10 and 50 wait, and the rest is refused.
    await untilStuck(2);
    await until(
      () => refusals,
      (count) => count === 81 + 69,
    );
    expect((await stranger.ask('GET', quickPath)).status).toBe(200);
    const slow = [stranger.ask('GET', exportPath, csv), stranger.ask('GET', searchPath)];
    // Those of the other holder follow at once, before any other of the first holder.
    await untilStuck(4);
    expect((await stranger.ask('GET', quickPath)).status).toBe(200);
    return { flood: [...exports, ...searches], replies: slow };
  });
  expect((await Promise.all(replies)).map(({ status }) => status)).toEqual([200, 200]);

  const [exports, searches] = [
    await Promise.all(flood.slice(0, 92)),
    await Promise.all(flood.slice(92)),
  ] as const;
  expect([countStatuses(exports, 200), countStatuses(exports, 429)]).toEqual([11, 81]);
  expect([countStatuses(searches, 200), countStatuses(searches, 429)]).toEqual([51, 69]);
  const rejected = exports.find(({ status }) => status === 429);
  expect(rejected?.envelope).toEqual({
    success: false,
    statusCode: 429,
    code: 'CONCURRENCY_LIMITED',
    message: 'Too many requests at the same time: try again soon',
    data: null,
  });
  expect(Object.fromEntries(rejected?.headers ?? [])).toMatchObject({
    'retry-after': '1',
    'ratelimit-policy': '"export";q=1;qu="concurrent-requests"',
    ratelimit: '"export";r=0;t=1',
  });
});

const largePagePath = '/dapp/clients?take=1000';

it('reads one large page of a holder at a time, and serves other requests meanwhile', async () => {
  const { flood, replies } = await withLockedClients(storefront.owner, async () => {
    const refused: number[] = [];
    const large = Array.from({ length: 60 }, (_, index) =>
      (index % 2 ? holder : sibling).ask('GET', largePagePath).then((reply) => {
        if (reply.status !== 200) refused.push(reply.status);
        return reply;
      }),
    );
    // One has reached the database and 50 wait.
    await until(
      () => refused.length,
      (count) => count === 9,
    );
    await untilStuck(1);
    expect(new Set(refused)).toEqual(new Set([429]));
    for (const caller of [holder, stranger]) expect((await caller.ask('GET', quickPath)).status).toBe(200);
    const others = [stranger.ask('GET', largePagePath)];
    await untilStuck(2);
    return { flood: large, replies: others };
  });
  expect((await Promise.all(replies)).map(({ status }) => status)).toEqual([200]);
  expect(countStatuses(await Promise.all(flood), 200)).toBe(51);
});

it('knows a large page by the size of earlier ones, too', async () => {
  await storefront.owner.query(
    `INSERT INTO clients (token_id, first_name, last_name, email, shipping_address1, shipping_address2)
     SELECT $1, 'Ada', 'Example', n || '@example.org', repeat('x', 200), repeat('y', 200) FROM generate_series(1, 100) AS n`,
    [holder.tokenId],
  );
  const path = '/dapp/clients?limit=100';
  expect((await holder.ask('GET', path)).text.length).toBeGreaterThan(128 * 1024);
  const pages = await withLockedClients(storefront.owner, async () => {
    const large = Array.from({ length: 8 }, () => holder.ask('GET', path));
    await until(
      () => limits.largePages.queued,
      (queued) => queued === 7,
    );
    // Small pages of the same list, and pages of other holders, do not wait.
    const others = [holder.ask('GET', '/dapp/clients?take=1'), stranger.ask('GET', path)];
    await untilStuck(3);
    return [...large, ...others];
  });
  expect(countStatuses(await Promise.all(pages), 200)).toBe(10);
});

it('gives every place back', async () => {
  for (const caller of [holder, sibling, stranger]) {
    for (const path of [exportPath, searchPath, quickPath]) {
      expect((await caller.ask('GET', path, csv)).status).toBe(200);
    }
  }
});
