import type { CreatedWebhook } from '@keyfront/protocol';
import { afterAll, expect, it } from 'vitest';
import { ChangeFeed } from '../../packages/server/src/database/coordination/change-feed.ts';
import { dataOf, openCallers, startStorefrontService } from '../support/storefront.ts';
import { insertClient } from '../support/storefront-data.ts';
import { until } from '../support/until.ts';
import { behaviours, startReceiver } from '../support/webhook-receiver.ts';

// With the limits and deadlines of the service.
const receiver = await startReceiver();
const started = await startStorefrontService(
  (url) => new ChangeFeed({ url }),
  ({ loginUrl }) => ({ isDemo: true, deliveries: { url: loginUrl, timing: { dispatchMs: 20, idleMs: 20 } } }),
);
const { addDigitalKey, sql } = await openCallers(started);
afterAll(async () => {
  await started.service.close();
  await receiver.close();
});

it('delivers to an endpoint that takes its time while others of the same holder hang', async () => {
  const holder = await addDigitalKey();
  receiver.paths.set('/late', (response) => setTimeout(() => behaviours.ok(response), 1_200));
  for (const path of ['/hang-1', '/hang-2', '/hang-3', '/hang-4', '/hang-5', '/late']) {
    if (path !== '/late') receiver.paths.set(path, behaviours.hang);
    const body = { url: receiver.url + path, eventTypes: ['client.created'] };
    dataOf<CreatedWebhook>(await holder.ask('POST', '/webhooks', { body }));
  }
  const count = 24;
  for (let number = 0; number < count; number++) await insertClient(sql, holder.tokenId);
  await until(
    () => receiver.at('/late').length,
    (received) => received >= count,
  );
  // Each of the others had its chance, and still has most of its events before it.
  for (const number of [1, 2, 3, 4, 5]) {
    const received = receiver.at(`/hang-${number}`).length;
    expect(received).toBeGreaterThan(0);
    expect(received).toBeLessThan(count);
  }
});
