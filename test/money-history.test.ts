import { randomInt } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { ChangeFeed } from '../packages/server/src/database/coordination/change-feed.ts';
import { type Prepare, runMoneyHistory } from './support/money-history.ts';
import { randomFrom } from './support/random-from.ts';
import { openCallers, startStorefrontService } from './support/storefront.ts';

const seed = Number(process.env.MONEY_SEED ?? randomInt(2 ** 31));

it(`keeps money and goods right while connections to the database are cut (MONEY_SEED=${seed})`, {
  tags: ['long'],
}, async () => {
  const random = randomFrom(seed);
  const started = await startStorefrontService((url) => new ChangeFeed({ url }));
  const { holder, admin, providers, sql } = await openCallers(started);
  const callers = { holder: holder.signedIn, admin, provider: providers.PAYMENT };
  const prepare: Prepare = (actor, method, path, { body, key } = {}) =>
    callers[actor].prepare(method, path, {
      ...(body ? { body } : {}),
      ...(key ? { headers: { 'idempotency-key': key } } : {}),
    });
  let isRunning = true;
  const cutting = (async () => {
    while (isRunning) {
      await sql(
        `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
         WHERE datname = current_database() AND usename <> current_user ORDER BY random() LIMIT 1`,
      );
      await delay(40 + random(120));
    }
  })();
  const history = runMoneyHistory({ prepare, sql, tokenId: holder.tokenId, random, orders: 6, steps: 80 });
  const { orders, keys } = await history.finally(() => {
    isRunning = false;
  });
  await cutting;
  await started.service.close();
  // Something has happened.
  const movements = orders.flatMap(({ payments, refunds }) => [...payments, ...refunds]);
  expect(keys + movements.length).toBeGreaterThan(5);
});
