import { randomInt, randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { Keyfront } from '@keyfront/sdk';
import { expect, it, onTestFinished } from 'vitest';
import { randomFrom } from '../support/random-from.ts';
import { onDemoDatabase, startService } from '../support/service-process.ts';
import { until } from '../support/until.ts';
import { behaviours, startReceiver } from '../support/webhook-receiver.ts';

const seed = Number(process.env.WEBHOOKS_SEED ?? randomInt(2 ** 31));
const rounds = 3;

it(`loses no event when processes are killed in the middle of deliveries (WEBHOOKS_SEED=${seed})`, async () => {
  const random = randomFrom(seed);
  const receiver = await startReceiver();
  onTestFinished(() => receiver.close());
  // Slow enough that a kill finds requests open.
  receiver.paths.set('/slow', (response) => setTimeout(() => behaviours.ok(response), 500 + random(500)));
  await onDemoDatabase(async (demoSettings) => {
    const settings = { ...demoSettings, DATA_ENCRYPTION_KEY: 'ab'.repeat(32) };
    const start = () => startService(settings);
    const services = [start(), start()];
    const [baseUrl = ''] = await Promise.all(services.map(({ ready }) => ready));
    const { holders } = JSON.parse(readFileSync(join(settings.KEYFRONT_DATA, 'demo.json'), 'utf8'));
    const { apiKey, secretKey } = holders[0];
    const open = (url: string) => new Keyfront({ baseUrl: url, apiKey, secretKey });
    const webhook = await open(baseUrl).webhooks.create({
      url: `${receiver.url}/slow`,
      eventTypes: ['client.created'],
    });

    const created = new Set<string>();
    for (let round = 0; round < rounds; round++) {
      const victim = random(2);
      const survivor = services[1 - victim];
      const keyfront = open((await survivor?.ready) ?? '');
      for (let count = 0; count < 20; count++) {
        const email = `${randomUUID()}@example.org`;
        const { client } = await keyfront.clients.create({ firstName: 'Ada', lastName: 'Example', email });
        created.add(client.id);
      }
      await delay(random(400));
      await services[victim]?.end('SIGKILL');
      services[victim] = start();
      await services[victim]?.ready;
    }
    const arrived = () => new Set(receiver.received.map(({ body }) => JSON.parse(body).data.id as string));
    // Those whose process was killed before the response are sent again. A process is taken for dead after 30 seconds.
    const keyfront = open((await services[0]?.ready) ?? '');
    await until(
      async () => (await keyfront.webhooks.listDeliveries(webhook.id, { status: 'PENDING' })).deliveries,
      ({ length }) => length === 0,
    );
    const delivered = await keyfront.webhooks.listDeliveries(webhook.id, { status: 'DELIVERED', take: 100 });
    expect(delivered.deliveries).toHaveLength(created.size);
    expect([...arrived()].sort()).toEqual([...created].sort());
    // At least once, and hardly more: only what was not recorded at a kill is repeated.
    expect(receiver.received.length - created.size).toBeLessThanOrEqual(rounds * 16);
    for (const service of services) expect(await service.end()).toBe(0);
  });
}, 300_000);
