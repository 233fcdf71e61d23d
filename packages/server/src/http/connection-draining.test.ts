import { Agent, get } from 'node:http';
import { connect } from 'node:net';
import { Type } from 'typebox';
import { describe, expect, it } from 'vitest';
import { curl } from '../../../../test/support/curl.ts';
import { startTestApp, testBinder } from '../../../../test/support/test-app.ts';
import { testOperation } from '../../../../test/support/test-operation.ts';

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
      testBinder(app, database).bind(
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
});
