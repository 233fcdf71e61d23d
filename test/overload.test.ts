import { expect, it } from 'vitest';
import { ChangeFeed } from '../packages/server/src/database/coordination/change-feed.ts';
import { ConcurrencyLimiter } from '../packages/server/src/limits/concurrency/concurrency-limiter.ts';
import { CatalogueCache } from '../packages/server/src/resources/catalogue/catalogue-cache.ts';
import { countWaitingForLock, withLockedClients } from './support/connections.ts';
import { type Ask, openCallers, startStorefrontService } from './support/storefront.ts';
import { insertClient } from './support/storefront-data.ts';
import { testMetricsToken } from './support/test-app.ts';
import { until } from './support/until.ts';

const maxConcurrent = 4;
const maxQueued = 10;
const requests = new ConcurrencyLimiter({
  name: 'test',
  maxConcurrent,
  maxQueued,
  // One more than there is room for, so that the total is what is exceeded.
  maxQueuedPerCaller: maxQueued + 1,
  queueTimeoutMs: 60_000,
  rejectionDelayMs: 1,
});
const service = await startStorefrontService((url) => new ChangeFeed({ url }), {
  concurrencyLimits: { requests },
  catalogueCache: new CatalogueCache({ isTrusted: () => true }),
});
const { holder, sql } = await openCallers(service);

const stuck = () => countWaitingForLock(service.service.ownerUrl);
const readMetrics = async () => {
  const headers = { authorization: `Bearer ${testMetricsToken}` };
  return (await fetch(`${service.service.origin}/metrics`, { headers })).text();
};

it('rejects requests beyond the limit in the envelope, and serves the others', async () => {
  const asked = Array.from({ length: 30 }, () => holder.prepare('GET', '/dapp/clients'));
  expect((await holder.ask('GET', '/planets')).status).toBe(200);
  let refusals = 0;
  const replies = await withLockedClients(service.owner, async () => {
    const all = asked.map(async (send) => {
      const reply = await send();
      if (reply.status === 503) refusals++;
      return reply;
    });
    // Nothing is served meanwhile, so that every response so far is a rejection.
    await until(
      async () => refusals,
      (count) => count === asked.length - maxConcurrent - maxQueued,
    );
    await until(stuck, (count) => count === maxConcurrent);
    expect(requests.queued).toBe(maxQueued);
    expect(await readMetrics()).toContain(`\nhttp_requests_waiting{kind="request"} ${maxQueued}\n`);
    // A cached response takes no place. One that has to be made does, and there is none left.
    expect((await holder.ask('GET', '/planets')).status).toBe(200);
    expect((await holder.ask('GET', '/dapp/strains?search=not+cached')).status).toBe(503);
    return all;
  });
  const statuses = (await Promise.all(replies)).map(({ status }) => status);
  expect(statuses.filter((status) => status === 200)).toHaveLength(maxConcurrent + maxQueued);
  const refused = (await Promise.all(replies)).find(({ status }) => status === 503);
  expect(refused?.headers.get('retry-after')).toBe('1');
  expect(refused?.envelope).toEqual({
    success: false,
    statusCode: 503,
    code: 'OVERLOADED',
    message: 'The service is overloaded: try again soon',
    data: null,
  });
  expect(requests.queued).toBe(0);
  expect((await holder.ask('GET', '/dapp/clients')).status).toBe(200);
});

it('cancels the query of a client that disconnects, and does not start one that left the queue', async () => {
  await withLockedClients(service.owner, async () => {
    const leaving = new AbortController();
    const asked = Array.from({ length: maxConcurrent + 3 }, () =>
      holder.ask('GET', '/dapp/clients', { signal: leaving.signal }).catch(({ name }) => name),
    );
    await until(stuck, (count) => count === maxConcurrent);
    await until(
      async () => requests.queued,
      (count) => count === 3,
    );
    leaving.abort();
    expect(new Set(await Promise.all(asked))).toEqual(new Set(['AbortError']));
    await until(stuck, (count) => count === 0);
    await until(
      async () => requests.queued,
      (count) => count === 0,
    );
  });
  expect((await holder.ask('GET', '/dapp/clients')).status).toBe(200);
});

it('completes a change although its client has disconnected', async () => {
  const { id: clientId } = await insertClient(sql, holder.tokenId);
  await withLockedClients(service.owner, async () => {
    /** Asks, and says how to leave. */
    const startAsking = (method: string, path: string, ask: Ask = {}) => {
      const leaving = new AbortController();
      const asked = holder.ask(method, path, { ...ask, signal: leaving.signal }).catch(({ name }) => name);
      return () => {
        leaving.abort();
        return asked;
      };
    };
    const leaveChange = startAsking('PATCH', `/dapp/clients/${clientId}`, { body: { firstName: 'Changed' } });
    await until(stuck, (count) => count === 1);
    expect(await leaveChange()).toBe('AbortError');
    // The query of a client that came and left later has been cancelled; this one would have been by now, too.
    const leaveList = startAsking('GET', '/dapp/clients');
    await until(stuck, (count) => count === 2);
    expect(await leaveList()).toBe('AbortError');
    await until(stuck, (count) => count === 1);
  });
  const firstName = async () =>
    (await sql<{ first_name: string }>('SELECT first_name FROM clients WHERE id = $1', [clientId]))[0]
      ?.first_name;
  expect(await until(firstName, (name) => name === 'Changed')).toBe('Changed');
});
