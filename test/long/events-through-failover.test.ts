import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Keyfront } from '@keyfront/sdk';
import { expect, it, onTestFinished } from 'vitest';
import { serviceSettings, startDatabase } from '../../faults/src/processes/database.ts';
import { startFaultProxy } from '../../faults/src/processes/fault-proxy.ts';
import { getPostmasterPid } from '../../faults/src/processes/spawn-service.ts';
import { startStandby } from '../../faults/src/processes/standby.ts';
import { needs } from '../support/requirements.ts';
import { onDemoDatabase, startService, withDataFolder } from '../support/service-process.ts';
import { startPgBouncer, startTransactionPooler } from '../support/transaction-pooler.ts';
import { until } from '../support/until.ts';
import { startReceiver } from '../support/webhook-receiver.ts';

const encryption = { DATA_ENCRYPTION_KEY: 'ab'.repeat(32), RATE_LIMIT: 'off' };

/** Follows the stream and a webhook of a holder of the demo. */
async function followDemo(baseUrl: string, dataFolder: string) {
  const { apiKey, secretKey } = JSON.parse(readFileSync(join(dataFolder, 'demo.json'), 'utf8')).holders[0];
  const keyfront = new Keyfront({ baseUrl, apiKey, secretKey, maxAttempts: 100, deadlineMs: 120_000 });
  const receiver = await startReceiver();
  onTestFinished(() => receiver.close());
  await keyfront.webhooks.create({ url: `${receiver.url}/hook`, eventTypes: ['client.created'] });
  const leaving = new AbortController();
  onTestFinished(() => leaving.abort());
  const streamed: string[] = [];
  let begin = (): void => undefined;
  const began = new Promise<void>((resolve) => {
    begin = resolve;
  });
  void (async () => {
    const options = { signal: leaving.signal, onPosition: begin };
    for await (const { data } of keyfront.events.stream({ type: 'client.created' }, options))
      streamed.push(String(data.id));
  })().catch(() => undefined);
  await began;
  const created: string[] = [];
  return {
    createClients: async (count: number) => {
      for (let number = 0; number < count; number++) {
        const email = `${randomUUID()}@example.org`;
        const { client } = await keyfront.clients.create({ firstName: 'Ada', lastName: 'Example', email });
        created.push(client.id);
      }
    },
    /** Waits until both have everything: the stream once and in order, and the endpoint at least once. */
    expectAll: async () => {
      await until(
        () => ({
          streamed: streamed.length,
          delivered: new Set(receiver.received.map(({ body }) => JSON.parse(body).data.id)).size,
        }),
        (counts) => counts.streamed >= created.length && counts.delivered >= created.length,
      );
      expect(streamed).toEqual(created);
      const delivered = new Set(receiver.received.map(({ body }) => JSON.parse(body).data.id as string));
      expect([...delivered].sort()).toEqual([...created].sort());
    },
    leave: () => leaving.abort(),
  };
}

for (const { name, startPooler, options } of [
  { name: 'a connection pooler', startPooler: startTransactionPooler, options: {} },
  { name: 'PgBouncer', startPooler: startPgBouncer, options: needs('PgBouncer') },
]) {
  it(`streams and delivers events behind ${name} in transaction mode`, options, async () => {
    await onDemoDatabase(async (settings) => {
      const pooler = await startPooler(settings.DATABASE_URL, { startupOptions: 'refused' });
      onTestFinished(() => pooler.close());
      const service = startService({
        ...settings,
        ...encryption,
        DATABASE_URL: pooler.url,
        DATABASE_DIRECT_URL: settings.DATABASE_URL,
      });
      const demo = await followDemo(await service.ready, settings.KEYFRONT_DATA);
      await demo.createClients(20);
      await demo.expectAll();
      demo.leave();
      expect(await service.end()).toBe(0);
    });
  });
}

it('streams and delivers every event while the database moves to a standby', async () => {
  await withDataFolder(async (folder) => {
    const primary = await startDatabase(join(folder, 'database'));
    onTestFinished(() => primary.stop());
    const proxy = await startFaultProxy(primary.loginUrl);
    onTestFinished(() => proxy.close());
    const service = startService({
      ...serviceSettings(proxy.url, primary.ownerUrl),
      ...encryption,
      ...{ KEYFRONT_DATA: folder, KEYFRONT_DEMO: 'on' },
    });
    const demo = await followDemo(await service.ready, folder);
    await demo.createClients(5);
    const standby = await startStandby(primary.ownerUrl, join(folder, 'standby'));
    onTestFinished(() => standby.stop());
    await demo.createClients(5);
    process.kill(getPostmasterPid(join(folder, 'database')), 'SIGKILL');
    await standby.promote();
    proxy.switchTo(standby.port);
    await demo.createClients(10);
    await demo.expectAll();
    demo.leave();
    expect(await service.end()).toBe(0);
  });
});
