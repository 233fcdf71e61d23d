import { Agent, get } from 'node:http';
import { connect } from 'node:net';
import { Type } from 'typebox';
import { describe, expect, it } from 'vitest';
import { curl } from '../../../../test/support/curl.ts';
import { startTestApp, testRouter } from '../../../../test/support/test-app.ts';
import { testOperation } from '../../../../test/support/test-operation.ts';
import { ConnectionDrainer } from './connection-draining.ts';

function fetchText(url: string, agent: Agent): Promise<string> {
  return new Promise((resolve, reject) => {
    get(url, { agent }, (response) => {
      let text = '';
      response.setEncoding('utf8');
      response.on('data', (chunk) => {
        text += chunk;
      });
      response.on('end', () => resolve(text));
    }).on('error', reject);
  });
}

describe('closing the service', () => {
  it('finishes running requests, accepts no new connections, and closes idle ones', async () => {
    let enter = () => {};
    let leave = () => {};
    const entered = new Promise<void>((resolve) => {
      enter = resolve;
    });
    const allowed = new Promise<void>((resolve) => {
      leave = resolve;
    });
    const service = await startTestApp({}, (app, database) => {
      testRouter(app, database).add(
        testOperation({ method: 'GET', path: '/test/slow', id: 'slow', response: Type.String() }),
        async () => {
          enter();
          await allowed;
          return 'finished';
        },
      );
    });
    const idle = connect(service.port, '127.0.0.1');
    await new Promise((resolve) => idle.once('connect', resolve));
    const idleClosed = new Promise((resolve) => idle.once('close', resolve));

    // A client that would reuse its connection.
    const agent = new Agent({ keepAlive: true });
    const running = fetchText(`${service.origin}/api/v1/test/slow`, agent);
    await entered;
    const closed = service.close();
    await idleClosed;
    await expect(curl(service.origin)).rejects.toThrow(/connect/i);
    leave();
    expect(await running).toContain('"data":"finished"');
    await closed;
    agent.destroy();
  });

  it('responds to a request that was on its way over an idle connection, and then closes it', {
    tags: ['long'],
  }, async () => {
    const service = await startTestApp({ drainer: new ConnectionDrainer({ lingerMs: 60_000 }) });
    const socket = connect(service.port, '127.0.0.1');
    let received = '';
    socket.setEncoding('utf8').on('data', (chunk) => {
      received += chunk;
    });
    const closed = new Promise((resolve) => socket.once('close', resolve));
    socket.write('GET /health/live HTTP/1.1\r\nhost: x\r\n\r\n');
    await expect.poll(() => received).toContain('"live"');
    expect(received).toContain('Connection: keep-alive');
    received = '';
    const closing = service.close();
    socket.write('GET /health/ready HTTP/1.1\r\nhost: x\r\n\r\n');
    await closed;
    await closing;
    expect(received).toMatch(/^HTTP\/1\.1 503 /);
    expect(received).toContain('Connection: close');
    expect(received).toContain('The service is shutting down');
  });
});
