import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Keyfront, verifyWebhook } from '@keyfront/sdk';
import { expect, it, onTestFinished } from 'vitest';
import { findFreePort } from '../../faults/src/processes/free-port.ts';
import { binaryPath, withShell } from '../support/cli-shell.ts';
import { needs } from '../support/requirements.ts';
import { onDemoDatabase, startService } from '../support/service-process.ts';
import { until } from '../support/until.ts';
import { startReceiver } from '../support/webhook-receiver.ts';

it('triggers each type of event that it offers', async () => {
  await withShell(async ({ demoFile, keyfront, output }) => {
    await output('login', '--demo', demoFile);
    const { stderr } = await keyfront(['trigger', 'nothing']);
    const [, offered = ''] = /Allowed choices are (.+)\.$/m.exec(stderr) ?? [];
    const types = offered.split(', ');
    expect(types).toEqual(expect.arrayContaining(['client.created', 'order.shipped', 'payment.refunded']));
    const triggered: { type: string; id: string }[] = [];
    for (const name of types) {
      const run = await keyfront(['trigger', name, '--demo', demoFile]);
      const [, type = '', id = ''] = /^Triggered (\S+) of (\S+)\.\n/.exec(run.stderr) ?? [];
      expect([name, run.code, type]).toEqual([name, 0, name === 'order.paid' ? 'payment.paid' : name]);
      triggered.push({ type, id });
    }
    for (const { type, id } of triggered) {
      await until(
        async () => (await output('events', 'list', '--events', type, '--json', '--all')).trim().split('\n'),
        (lines) => lines.some((line) => line.includes(`"${type}"`) && line.includes(id)),
      );
    }
  });
});

it(
  'forwards every event from a terminal, while the service and the command itself are restarted',
  needs('script(1)'),
  async () => {
    const receiver = await startReceiver();
    onTestFinished(() => receiver.close());
    await onDemoDatabase(async (demoSettings) => {
      const settings = { ...demoSettings, PORT: String(await findFreePort()) };
      let service = startService(settings);
      const baseUrl = await service.ready;
      const folder = join(settings.KEYFRONT_DATA, '..', 'shell');
      mkdirSync(folder);
      const [{ apiKey, secretKey }] = JSON.parse(
        readFileSync(join(settings.KEYFRONT_DATA, 'demo.json'), 'utf8'),
      ).holders;
      const keyfront = new Keyfront({ baseUrl, apiKey, secretKey });
      const created: string[] = [];
      const createClients = async (count: number) => {
        for (let number = 0; number < count; number++) {
          const email = `${randomUUID()}@example.org`;
          const { client } = await keyfront.clients.create({ firstName: 'Ada', lastName: 'Example', email });
          created.push(client.id);
        }
      };
      /** Runs the command on a terminal. */
      const listen = async () => {
        const command = `${process.execPath} ${binaryPath} listen --events client.created --forward-to ${receiver.url}/hook`;
        const child = spawn('script', ['--quiet', '--flush', '--return', '--command', command, '/dev/null'], {
          cwd: folder,
          env: {
            ...{ PATH: process.env.PATH ?? '', HOME: folder, SHELL: '/bin/sh', TERM: 'xterm' },
            ...{ KEYFRONT_URL: baseUrl, KEYFRONT_API_KEY: apiKey, KEYFRONT_SECRET_KEY: secretKey },
          },
        });
        let screen = '';
        child.stdout.on('data', (chunk) => {
          screen += chunk;
        });
        await until(
          () => screen,
          (text) => text.includes('Waiting for events'),
        );
        return {
          screen: () => screen,
          interrupt: async () => {
            const closed = once(child, 'close');
            child.stdin.write('\u0003');
            await closed;
          },
        };
      };
      const arrived = () => receiver.received.map(({ body }) => JSON.parse(body).data.id as string);
      const allArrived = () =>
        until(arrived, (ids) => ids.length >= created.length).then((ids) => expect(ids).toEqual(created));

      const first = await listen();
      // It remembers where it began when the stream has begun.
      const stateFile = join(folder, '.config/keyfront/listen/default.json');
      await until(
        () => {
          try {
            return JSON.parse(readFileSync(stateFile, 'utf8')).lastEventId;
          } catch {
            return null;
          }
        },
        (id) => typeof id === 'string',
      );
      await first.interrupt();
      await createClients(2);
      const second = await listen();
      await allArrived();

      await service.end('SIGKILL');
      service = startService(settings);
      await service.ready;
      await createClients(3);
      await allArrived();
      // An event is printed when its receiver has responded.
      const printed = () => second.screen().match(/client\.created {2}/g)?.length ?? 0;
      await until(printed, (count) => count >= created.length);
      expect(printed()).toBe(created.length);
      const [, secret = ''] = /signed with (whsec_[A-Za-z0-9+/=]+)/.exec(second.screen()) ?? [];
      for (const { body, headers } of receiver.received)
        expect(await verifyWebhook(body, headers, secret)).toMatchObject({ type: 'client.created' });
      await second.interrupt();
      expect(await service.end()).toBe(0);
    });
  },
);
