import { spawn } from 'node:child_process';
import { createPrivateKey, sign } from 'node:crypto';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { get, type IncomingMessage } from 'node:http';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { insertManyOrders } from './support/order-data.ts';
import { onDemoDatabase, startService } from './support/service-process.ts';
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

interface LargeStore {
  readonly pid: number;
  readonly ownerUrl: string;
  readonly origin: string;
  /** Requests the file, at this origin or by way of a relay. */
  open(origin?: string): Promise<IncomingMessage>;
  /** Requests the file with curl, which stops reading until its output is read. */
  curl(...options: string[]): { finish(): Promise<{ exitCode: number; lines: number }> };
}

/** A service of its own with a large store, as a user runs it. */
async function withLargeStore(use: (store: LargeStore) => Promise<void>): Promise<void> {
  await onDemoDatabase(async (settings) => {
    const service = startService(settings);
    const { origin, pathname } = new URL(await service.ready);
    const demo = JSON.parse(readFileSync(join(settings.KEYFRONT_DATA, 'demo.json'), 'utf8'));
    const holder: DemoHolder = demo.holders[0];
    const ownerUrl = settings.DATABASE_OWNER_URL;
    await insertManyOrders(ownerUrl, holder.primaryTokenId, count);
    // Long names make the file larger than the send buffer of a connection (4 MB), so that a stalled reader stalls the stream.
    await runSql(
      ownerUrl,
      `UPDATE keyfront.clients SET first_name = repeat('a', 100), last_name = repeat('b', 100)
       WHERE token_id = ${holder.primaryTokenId}`,
    );
    const key = createPrivateKey(Buffer.from(holder.secretKey, 'base64').toString());
    const headers = {
      accept: 'text/csv',
      'x-auth-apikey': holder.apiKey,
      'x-auth-signature': sign('sha256', Buffer.from(query), key).toString('base64'),
    };
    const open = async (at = origin) => {
      const [response] = await once(get(`${at}${pathname}/orders/export?${query}`, { headers }), 'response');
      return response as IncomingMessage;
    };
    const curl = (...options: string[]) => {
      const lines = Object.entries(headers).flatMap(([name, value]) => ['--header', `${name}: ${value}`]);
      const url = `${origin}${pathname}/orders/export?${query}`;
      const child = spawn('curl', ['--silent', ...options, ...lines, url], {
        stdio: ['ignore', 'pipe', 'inherit'],
      });
      const finish = async () => {
        const [[exitCode], received] = await Promise.all([once(child, 'close'), countLines(child.stdout)]);
        return { exitCode, lines: received };
      };
      return { finish };
    };
    await use({ pid: service.child.pid ?? 0, ownerUrl, origin, open, curl });
    expect(await service.end()).toBe(0);
  });
}

/**
 * A relay to the service that hands on requests, and responses only after `release`. Until then it reads nothing from
 * the service. A client that merely stops reading would not do: by then the system may have enlarged its receive
 * buffer so far that the whole file fits.
 */
async function holdResponses(origin: string) {
  const { hostname, port } = new URL(origin);
  const pairs: [client: Socket, service: Socket][] = [];
  const server = createServer((client) => {
    const service = connect(Number(port), hostname).pause();
    pairs.push([client, service]);
    client.pipe(service);
    for (const socket of [client, service]) socket.on('error', () => undefined);
    client.on('close', () => service.destroy());
    service.on('close', () => client.destroy());
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    release: () => {
      for (const [client, service] of pairs) service.pipe(client, { end: false });
    },
    close: () => {
      for (const [client] of pairs) client.destroy();
      server.close();
    },
  };
}

/** The connections with an open stream: the database fetches the next rows, or waits to be asked for them. */
function readStreams(ownerUrl: string) {
  return runSql<{ pid: number; waits: boolean }>(
    ownerUrl,
    `SELECT pid, state LIKE 'idle in transaction%' AS waits FROM pg_stat_activity
     WHERE datname = current_database() AND query LIKE 'FETCH%' AND state <> 'idle'`,
  );
}

/** Waits until one stream has fetched rows and waits for its reader; returns the process id of its connection. */
async function untilStreaming(ownerUrl: string): Promise<number> {
  const [stream] = await until(
    () => readStreams(ownerUrl),
    (streams) => streams.length === 1 && streams.every(({ waits }) => waits),
  );
  return stream?.pid ?? 0;
}

function untilNoStreams(ownerUrl: string) {
  return until(
    () => readStreams(ownerUrl),
    (streams) => streams.length === 0,
  );
}

async function countLines(response: Readable): Promise<number> {
  let lines = 0;
  for await (const chunk of response) for (const byte of chunk) if (byte === 0x0a) lines++;
  return lines;
}

describe('a CSV of a large store', () => {
  it('is complete, keeps memory bounded, waits for slow readers and ends with them', {
    tags: ['long'],
  }, async () => {
    await withLargeStore(async ({ pid, ownerUrl, origin, open, curl }) => {
      const whole = await open();
      expect(whole.headers['content-disposition']).toMatch(
        /^attachment; filename="orders-\d{4}-\d\d-\d\d\.csv"$/,
      );
      expect(await countLines(whole)).toBe(1 + ofDemo + count);
      if (process.platform === 'linux') {
        const peak = /^VmHWM:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
        expect(Number(peak)).toBeLessThan(300 * 1024);
      }

      // A client that reads nothing: the service stops fetching, and ends the stream when the client leaves.
      const leaving = await holdResponses(origin);
      const left = open(leaving.origin);
      await untilStreaming(ownerUrl);
      leaving.close();
      await expect(left).rejects.toThrow(/socket hang up|ECONNRESET/);
      await untilNoStreams(ownerUrl);

      // A stream that fails in the middle: the client cannot take what it has for the whole file.
      const cutting = await holdResponses(origin);
      const cut = open(cutting.origin);
      const victim = await untilStreaming(ownerUrl);
      await runSql(ownerUrl, 'SELECT pg_terminate_backend($1)', [victim]);
      cutting.release();
      await expect(cut.then(countLines)).rejects.toThrow('aborted');
      cutting.close();

      // Over HTTP/1.0 a file ends with its connection, so the connection must not end as if it were the end of the file.
      for (const version of ['--http1.0', '--http1.1']) {
        const download = curl(version);
        await runSql(ownerUrl, 'SELECT pg_terminate_backend($1)', [await untilStreaming(ownerUrl)]);
        const { exitCode, lines } = await download.finish();
        expect([version, exitCode]).toEqual([version, 56]);
        expect(lines).toBeLessThan(1 + ofDemo + count);
      }

      // The service continues to serve.
      expect(await countLines(await open())).toBe(1 + ofDemo + count);
    });
  });
});
