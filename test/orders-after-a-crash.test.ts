import { createPrivateKey, sign } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { startDatabaseProxy } from './support/database-proxy.ts';
import { onDemoDatabase, startService } from './support/service-process.ts';
import { runSql } from './support/test-database.ts';

interface DemoHolder {
  readonly apiKey: string;
  readonly secretKey: string;
  readonly clientIds: { readonly ready: string };
}

function place(baseUrl: string, holder: DemoHolder): Promise<Response> {
  const body = JSON.stringify({ clientId: holder.clientIds.ready });
  const key = createPrivateKey(Buffer.from(holder.secretKey, 'base64').toString());
  return fetch(`${baseUrl}/dapp/orders`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      'idempotency-key': 'the order that was lost on the way',
      'x-auth-apikey': holder.apiKey,
      'x-auth-signature': sign('sha256', Buffer.from(body), key).toString('base64'),
    },
    body,
  });
}

it('replays the response of an order whose process was killed between commit and response', {
  tags: ['long'],
}, async () => {
  await onDemoDatabase(async (settings) => {
    let kill = () => {};
    // Kills the service after the database has committed and before the service learns of it.
    const proxy = await startDatabaseProxy(settings.DATABASE_URL, (answer, connection) => {
      const isCommitted = connection.hasBound('idempotency.store') && answer.includes('COMMIT\0');
      if (isCommitted) kill();
      return isCommitted;
    });
    const first = startService({ ...settings, DATABASE_URL: proxy.url });
    kill = () => void first.end('SIGKILL');
    const baseUrl = await first.ready;
    const demo = JSON.parse(readFileSync(join(settings.KEYFRONT_DATA, 'demo.json'), 'utf8'));
    const holder: DemoHolder = demo.holders[0];
    const ordersOf = () =>
      runSql<{ id: string }>(
        settings.DATABASE_OWNER_URL,
        'SELECT id FROM keyfront.orders WHERE client_id = $1',
        [holder.clientIds.ready],
      );
    expect(await ordersOf()).toEqual([]);
    await expect(place(baseUrl, holder)).rejects.toThrow('fetch failed');
    expect(await first.ended).toBe('SIGKILL');
    await proxy.close();
    const orders = await ordersOf();
    expect(orders).toHaveLength(1);

    const second = startService(settings);
    const answer = await place(await second.ready, holder);
    expect([answer.status, answer.headers.get('idempotent-replayed')]).toEqual([201, 'true']);
    const { data } = (await answer.json()) as { data: { id: string; orderLines: unknown[] } };
    expect(data.id).toBe(orders[0]?.id);
    expect(data.orderLines.length).toBeGreaterThan(0);
    expect(await ordersOf()).toEqual(orders);
    expect(await second.end()).toBe(0);
  });
});
