import { setTimeout as delay } from 'node:timers/promises';
import { Keyfront, type KeyfrontEvent } from '@keyfront/sdk';
import { expect, it } from 'vitest';
import { createTokens } from '../packages/server/src/auth/tokens.ts';
import { createAuthentication } from '../packages/server/src/boot/authentication.ts';
import { ChangeFeed } from '../packages/server/src/database/coordination/change-feed.ts';
import { Database } from '../packages/server/src/database/database.ts';
import { beginSession } from './support/begin-session.ts';
import { followEvents } from './support/event-data.ts';
import { randomFrom } from './support/random-from.ts';
import { openCallers, startStorefrontService } from './support/storefront.ts';
import { insertClient, insertStrain } from './support/storefront-data.ts';
import { noLimits, startTestAppOn, testSecret } from './support/test-app.ts';
import { until } from './support/until.ts';

/** Set `EVENT_SEEDS` to run more of them: `EVENT_SEEDS=1,2,3`. */
const seeds = (process.env.EVENT_SEEDS ?? '1').split(',').map(Number);

const writers = 8;
const ordersPerWriter = 4;
const readers = 3;
/** Connections are cut all the time, and the test is not to spend its time with pauses. */
const impatient = {
  runtime: {
    delay: (ms: number, signal?: AbortSignal) => delay(Math.min(ms, 50), undefined, signal ? { signal } : {}),
  },
};

it.each(seeds)(
  'every reader sees every change once and in one order: seed %i',
  { tags: ['long'] },
  async (seed) => {
    const randomBelow = randomFrom(seed);
    const random = () => randomBelow(1_000_000) / 1_000_000;
    const pick = <Item>(items: readonly Item[]): Item => items[Math.floor(random() * items.length)] as Item;
    const tokens = createTokens({ secret: testSecret, previousSecret: null });
    const first = await startStorefrontService((url) => new ChangeFeed({ url }));
    const { holder, admin, sql } = await openCallers(first);
    const { walletAddress } = admin;
    const adminToken = await beginSession(sql, tokens, { walletAddress, role: 'administrator' });

    // A second instance on the same database.
    const database = new Database({ url: first.service.loginUrl, poolSize: 5 });
    const feed = new ChangeFeed({ url: first.service.loginUrl });
    const { guard } = createAuthentication({
      ...{ database, feed, tokens, limits: noLimits, adminWallets: [admin.walletAddress] },
      publicUrl: null,
      logger: { warn: () => undefined },
    });
    await feed.start();
    const second = await startTestAppOn({ ...first.service, database }, { guard, tokens });
    const origins = [first.service.origin, second.origin];

    const secretKey = Buffer.from(
      holder.secretKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
    ).toString('base64');
    const clientAt = (origin: string, fetch: typeof globalThis.fetch = globalThis.fetch) =>
      // A bound signature would name one instance. Readers change between them.
      new Keyfront({
        baseUrl: `${origin}/api/v1`,
        apiKey: holder.apiKey,
        secretKey,
        fetch,
        signatures: 'simple',
        ...impatient,
      });
    const { id: strainId } = await insertStrain(sql, { stock: 1_000_000 });

    // Readers begin before the first order, connect to a random instance each time, and are cut off at random.
    const start = (await followEvents(holder, 'key.created').waitFor('key.created')).at(-1)?.id ?? '';
    const leaving = new AbortController();
    const cuts = new Set<AbortController>();
    const logs = Array.from({ length: readers }, () => [] as KeyfrontEvent[]);
    const reading = logs.map(async (log) => {
      const throughAny: typeof fetch = async (input, init) => {
        const { pathname, search } = new URL(String(input));
        const cut = new AbortController();
        cuts.add(cut);
        return fetch(pick(origins) + pathname + search, {
          ...init,
          signal: AbortSignal.any([cut.signal, ...(init?.signal ? [init.signal] : [])]),
        });
      };
      const client = clientAt(first.service.origin, throughAny);
      try {
        for await (const event of client.events.stream(
          { type: 'order.*', after: start },
          { signal: leaving.signal },
        ))
          log.push(event);
      } catch (error) {
        if (!leaving.signal.aborted) throw error;
      }
    });
    // A writer whose request fails does not know what became of it. The database does.
    const attempt = async <Result>(work: () => Promise<Result>): Promise<Result | null> =>
      work().catch(() => null);
    let isWriting = true;
    const disturbing = (async () => {
      while (isWriting) {
        const [cut] = [...cuts].slice(-readers);
        if (random() < 0.5) cut?.abort();
        else {
          await sql(
            `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
           WHERE datname = current_database() AND usename <> current_user ORDER BY random() LIMIT 2`,
          );
        }
        await delay(20 + random() * 60);
      }
    })();
    await Promise.all(
      Array.from({ length: writers }, async (_, index) => {
        const origin = origins[index % 2] as string;
        const [own, administrator] = [
          clientAt(origin),
          new Keyfront({ baseUrl: `${origin}/api/v1`, token: adminToken, ...impatient }),
        ];
        for (let number = 0; number < ordersPerWriter; number++) {
          const { id: clientId } = await insertClient(sql, holder.tokenId);
          const items = [{ strainId, quantity: 1 }];
          const order = await attempt(() => own.orders.create({ clientId, items }));
          if (!order) continue;
          const steps = [
            { adminApproval: 'VERIFIED' },
            { orderStatus: 'PROCESSING' },
            { orderStatus: 'SHIPPED' },
          ] as const;
          for (const step of steps.slice(0, Math.floor(random() * 4))) {
            await attempt(() => administrator.admin.orders.update(order.id, step));
          }
        }
      }),
    );
    isWriting = false;
    await disturbing;

    const expected = await sql<{ id: string; types: string[] }>(
      `SELECT order_id AS id, array_agg(type ORDER BY history.id, number) FILTER (WHERE type IS NOT NULL) AS types
     FROM (
       SELECT *, lag(order_status) OVER changes AS old_status, lag(admin_approval) OVER changes AS old_approval
       FROM order_history WHERE token_id = $1 WINDOW changes AS (PARTITION BY order_id ORDER BY id)
     ) AS history
     CROSS JOIN LATERAL (VALUES
       (1, CASE WHEN old_status IS NULL THEN 'order.created' END),
       (2, CASE WHEN old_approval <> admin_approval THEN 'order.approved' END),
       (3, CASE WHEN old_status <> order_status THEN 'order.' || lower(order_status) END)
     ) AS event (number, type)
     GROUP BY order_id ORDER BY order_id`,
      [holder.tokenId],
    );
    const total = expected.reduce((sum, { types }) => sum + types.length, 0);
    expect(total).toBeGreaterThan(writers);
    await until(
      () => logs.map((log) => log.length),
      (lengths) => lengths.every((length) => length >= total),
    );
    leaving.abort();
    await Promise.all(reading);
    for (const log of logs) {
      const ids = log.map(({ id }) => id);
      expect(ids).toEqual([...new Set(ids)].sort());
      expect(ids).toEqual(logs[0]?.map(({ id }) => id));
      const seen = expected.map(({ id }) => ({
        id,
        types: log.filter(({ data }) => data.id === id).map(({ type }) => type),
      }));
      expect(seen).toEqual(expected);
    }
    await second.app.close();
    await feed.close();
    await database.close();
  },
);
