import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { Type } from 'typebox';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { curl } from '../../../../test/support/curl.ts';
import { startTestApp, type TestApp, testRouter } from '../../../../test/support/test-app.ts';
import { testOperation } from '../../../../test/support/test-operation.ts';
import { until } from '../../../../test/support/until.ts';

/** More than the system takes for a client that does not read. */
const largeText = 'x'.repeat(8 * 1024 * 1024);
let service: TestApp;
let started = 0;

beforeAll(async () => {
  service = await startTestApp({}, (app, database) => {
    testRouter(app, database).add(
      testOperation({ method: 'GET', path: '/test/large', id: 'large', response: Type.String() }),
      () => {
        started++;
        return largeText;
      },
    );
  });
});
afterAll(() => service.close());

async function open(): Promise<Socket> {
  const socket = connect(service.port, '127.0.0.1').on('error', () => undefined);
  onTestFinished(() => void socket.destroy());
  await once(socket, 'connect');
  return socket;
}

const request = 'GET /api/v1/test/large HTTP/1.1\r\nhost: a\r\n\r\n';
const isLive = async () => (await curl(`${service.origin}/health/live`)).status === 200;

describe('requests that are sent before earlier responses are read', () => {
  it('start one after the other, and get their responses in order', async () => {
    started = 0;
    const socket = await open();
    socket.pause();
    socket.write(request.repeat(4));
    await until(
      () => started,
      (count) => count > 0,
    );
    for (let turn = 0; turn < 3; turn++) expect(await isLive()).toBe(true);
    expect(started).toBe(1);

    let received = 0;
    socket.on('data', (chunk) => {
      received += chunk.length;
    });
    socket.resume();
    await until(
      () => received,
      (count) => count > 4 * largeText.length,
    );
    expect(started).toBe(4);
  });

  it('do not start at all when the connection is closed', { tags: ['long'] }, async () => {
    started = 0;
    const socket = await open();
    socket.pause();
    socket.write(request.repeat(4));
    await until(
      () => started,
      (count) => count > 0,
    );
    socket.destroy();
    for (let turn = 0; turn < 3; turn++) expect(await isLive()).toBe(true);
    expect(started).toBe(1);
  });

  it('are refused beyond a number', async () => {
    const socket = await open();
    let received = '';
    socket.pause();
    socket.setEncoding('latin1').on('data', (chunk: string) => {
      received += chunk.replaceAll('x'.repeat(100), '');
    });
    started = 0;
    socket.write(request + 'GET /health/live HTTP/1.1\r\nhost: a\r\n\r\n'.repeat(101));
    await until(
      () => started,
      (count) => count > 0,
    );
    socket.resume();
    const statuses = await until(
      () => [...received.matchAll(/HTTP\/1\.1 (\d+)/g)].map(([, status]) => status),
      ({ length }) => length === 102,
    );
    expect(statuses).toEqual([...Array(101).fill('200'), '429']);
    expect(received.match(/x-request-id/g)).toHaveLength(102);
  });
});
