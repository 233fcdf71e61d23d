import { randomInt } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Keyfront } from '@keyfront/sdk';
import pg from 'pg';
import { expect, it, onTestFinished } from 'vitest';
import { keptSeeds } from '../../faults/src/kept-seeds.ts';
import { readSeeds } from '../../faults/src/options.ts';
import { serviceSettings } from '../../faults/src/processes/database.ts';
import { startKillableDatabase } from '../../faults/src/processes/killable-database.ts';
import { runTrial } from '../../faults/src/run-trials.ts';
import { events } from '../../faults/src/trials/events.ts';
import { startService, withDataFolder } from '../support/service-process.ts';

/** `EVENT_HISTORY_SEEDS=1-20` runs these seeds, after those that have found a fault. */
const given = process.env.EVENT_HISTORY_SEEDS ?? String(randomInt(2 ** 31));
const seeds = new Set([...keptSeeds(events.name), ...readSeeds('EVENT_HISTORY_SEEDS', given)]);
const sizes = {
  kills: 3,
  ordersBetweenFaults: 20,
  networkFaults: 0,
  failovers: 0,
  exportedOrders: 0,
  minutes: 0,
};

it.each([...seeds])(
  'every change has one event, and every reader sees all of them in one order, while services and PostgreSQL are killed: EVENT_HISTORY_SEEDS=%i',
  async (seed) => {
    const messages: string[] = [];
    const progress = (text: string) => messages.push(text);
    const { problems, summary } = await runTrial({ trial: events, sizes, seed, progress });
    expect(problems, [...messages, summary].join('\n')).toEqual([]);
  },
);

it('continues a stream that began after transactions that a crash of PostgreSQL forgets', async () => {
  await withDataFolder(async (folder) => {
    const database = await startKillableDatabase(join(folder, 'database'));
    onTestFinished(() => database.stop());
    const settings = serviceSettings(database.loginUrl, database.ownerUrl);
    const service = startService({
      ...settings,
      KEYFRONT_DATA: folder,
      KEYFRONT_DEMO: 'on',
      RATE_LIMIT: 'off',
    });
    const baseUrl = await service.ready;
    const { apiKey, secretKey } = JSON.parse(readFileSync(join(folder, 'demo.json'), 'utf8')).holders[0];
    const keyfront = new Keyfront({ baseUrl, apiKey, secretKey });

    // PostgreSQL writes the log of transactions that were rolled back only from time to time. After a crash, it gives
    // their ids to others.
    const owner = new pg.Client(database.ownerUrl);
    owner.on('error', () => undefined);
    await owner.connect();
    await owner.query("ALTER SYSTEM SET wal_writer_delay = '10s'");
    await owner.query('SELECT pg_reload_conf()');
    for (let count = 0; count < 200; count++)
      await owner.query('BEGIN; SELECT pg_current_xact_id(); ROLLBACK');
    const open = async (lastId?: string) => {
      const { url, headers } = await keyfront.sign('GET', '/events/stream');
      const response = await fetch(url, {
        headers: { ...headers, accept: 'text/event-stream', ...(lastId && { 'last-event-id': lastId }) },
      });
      return (response.body ?? new ReadableStream()).pipeThrough(new TextDecoderStream()).getReader();
    };
    const first = await open();
    const [, lastId] = /^id: (evt_\w+)$/m.exec((await first.read()).value ?? '') ?? [];
    await database.kill();
    await database.restart();
    const { client } = await keyfront.clients.create({
      ...{ firstName: 'Ada', lastName: 'Example', email: 'after-the-crash@example.org' },
    });
    const second = await open(lastId);
    let text = '';
    while (!text.includes(client.id)) {
      const { value } = await second.read();
      text += value ?? '';
      // A comment comes when there is nothing more to send.
      expect(text).not.toContain(': alive');
    }
    await second.cancel();
    expect(await service.end()).toBe(0);
  });
});
