import { createPrivateKey, sign } from 'node:crypto';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { get, type IncomingMessage } from 'node:http';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { insertManyOrders } from './support/order-data.ts';
import { onTestCluster, startService, withDataFolder } from './support/service-process.ts';
import { runSql } from './support/test-database.ts';
import { until } from './support/until.ts';

const query = 'orderBy=asc&startDate=&endDate=&search=&searchBy=&status=&paymentStatus=&adminApproval=';
const count = Number(process.env.CSV_TEST_ORDERS ?? 30_000);
/** The demo has 200 orders of its own for each digital key. */
const ofDemo = 200;

interface DemoHolder {
  readonly apiKey: string;
  readonly secretKey: string;
  readonly primaryTokenId: number;
}

/** A service of its own with a large store, as a user runs it. */
async function withLargeStore(
  use: (store: { pid: number; ownerUrl: string; open: () => Promise<IncomingMessage> }) => Promise<void>,
): Promise<void> {
  await withDataFolder((dataFolder) =>
    onTestCluster(async (settings) => {
      const service = startService({ ...settings, KEYFRONT_DATA: dataFolder, KEYFRONT_DEMO: 'on' });
      const baseUrl = await service.ready;
      const demo = JSON.parse(readFileSync(join(dataFolder, 'demo.json'), 'utf8'));
      const holder: DemoHolder = demo.holders[0];
      await insertManyOrders(settings.DATABASE_OWNER_URL, holder.primaryTokenId, count);
      const key = createPrivateKey(Buffer.from(holder.secretKey, 'base64').toString());
      const headers = {
        accept: 'text/csv',
        'x-auth-apikey': holder.apiKey,
        'x-auth-signature': sign('sha256', Buffer.from(query), key).toString('base64'),
      };
      const open = async () => {
        const [answer] = await once(get(`${baseUrl}/orders/export?${query}`, { headers }), 'response');
        return answer as IncomingMessage;
      };
      await use({ pid: service.child.pid ?? 0, ownerUrl: settings.DATABASE_OWNER_URL, open });
      expect(await service.end()).toBe(0);
    }),
  );
}

/** Streams that are under way in the database. */
const streams = async (ownerUrl: string) =>
  (
    await runSql<{ pid: number }>(
      ownerUrl,
      `SELECT pid FROM pg_stat_activity
       WHERE datname = current_database() AND query LIKE 'FETCH%' AND state LIKE 'idle in transaction%'`,
    )
  ).map(({ pid }) => pid);

async function countLines(answer: IncomingMessage): Promise<number> {
  let lines = 0;
  for await (const chunk of answer) for (const byte of chunk) if (byte === 0x0a) lines++;
  return lines;
}

describe('a CSV of a large store', () => {
  it('is whole, leaves memory as it is, waits for slow readers and ends with them', {
    timeout: 120_000,
  }, async () => {
    await withLargeStore(async ({ pid, ownerUrl, open }) => {
      const whole = await open();
      expect(whole.headers['content-disposition']).toMatch(
        /^attachment; filename="orders-\d{4}-\d\d-\d\d\.csv"$/,
      );
      expect(await countLines(whole)).toBe(1 + ofDemo + count);
      if (process.platform === 'linux') {
        const peak = /^VmHWM:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
        expect(Number(peak)).toBeLessThan(300 * 1024);
      }

      // One that reads a little and then no more: the database has rows left that nobody has asked for.
      const slow = await open();
      await once(slow, 'readable');
      const [backend] = await until(
        () => streams(ownerUrl),
        (pids) => pids.length === 1,
      );
      expect(backend).toBeDefined();
      slow.destroy();
      expect(
        await until(
          () => streams(ownerUrl),
          (pids) => pids.length === 0,
        ),
      ).toEqual([]);

      // One whose rows end in the middle: what he has cannot be taken for the whole.
      const cut = await open();
      await once(cut, 'readable');
      const [victim] = await until(
        () => streams(ownerUrl),
        (pids) => pids.length === 1,
      );
      await runSql(ownerUrl, 'SELECT pg_terminate_backend($1)', [victim]);
      await expect(countLines(cut)).rejects.toThrow('aborted');

      // And the service goes on.
      expect(await countLines(await open())).toBe(1 + ofDemo + count);
    });
  });
});
