import { expect, it } from 'vitest';
import { ChangeFeed } from '../packages/server/src/database/change-feed.ts';
import { createConcurrencyLimits } from '../packages/server/src/pipeline/concurrency-limits.ts';
import { countWaitingForLock, withLockedClients } from './support/connections.ts';
import { openCallers, type Reply, startStorefrontService } from './support/storefront.ts';
import { until } from './support/until.ts';

// Nothing times out while the machine is slow.
const timing = { queueTimeoutMs: 60_000, rejectionDelayMs: 1 };
const storefront = await startStorefrontService((url) => new ChangeFeed({ url }), {
  concurrencyLimits: createConcurrencyLimits({ poolSize: 5, streamPoolSize: 2 }, timing),
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

it('gives every place back', async () => {
  for (const caller of [holder, sibling, stranger]) {
    for (const path of [exportPath, searchPath, quickPath]) {
      expect((await caller.ask('GET', path, csv)).status).toBe(200);
    }
  }
});
