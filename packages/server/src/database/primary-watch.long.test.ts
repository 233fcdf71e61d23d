import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startEmbeddedPostgres } from '@keyfront/embedded-postgres';
import { expect, it, onTestFinished } from 'vitest';
import { startStandby } from '../../../../faults/src/processes/standby.ts';
import { until } from '../../../../test/support/until.ts';
import { Database } from './database.ts';
import { migrate } from './migrate.ts';
import { readMigrations } from './migrations.ts';
import { PrimaryWatch } from './primary-watch.ts';
import { systemScope } from './scope.ts';
import { closeSession, openSession } from './session.ts';
import { statement } from './statement.ts';

const readPort = statement<{ port: number }>('test.port', `SELECT current_setting('port')::int AS port`);

it('leaves a primary that was promoted first, on all connections, and does not return to it', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'keyfront-primaries-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const first = await startEmbeddedPostgres({
    dataFolder: join(folder, 'first'),
    database: 'shop',
    owner: { name: 'shop_owner', password: 'the owner' },
    login: { name: 'shop', password: 'the service' },
    durable: true,
  });
  onTestFinished(() => first.stop());
  await migrate({ ...first, migrations: await readMigrations() });
  const second = await startStandby(first.ownerUrl, join(folder, 'second'), { isSynchronous: false });
  onTestFinished(() => second.stop());

  const url = first.loginUrl.replace(`:${first.port}/`, `:${first.port},127.0.0.1:${second.port}/`);
  const conflicts: string[] = [];
  const watch = new PrimaryWatch({ url, onConflict: (sentence) => conflicts.push(sentence) });
  await watch.start();
  onTestFinished(() => watch.close());
  expect([watch.count, conflicts]).toEqual([1, []]);
  const database = new Database({ url, poolSize: 2 });
  onTestFinished(() => database.close());
  const portInUse = async () => (await database.query(systemScope, readPort))[0]?.port;
  expect(await portInUse()).toBe(first.port);

  await second.promote();
  await until(
    () => watch.check().then(() => watch.count),
    (count) => count === 2,
  );
  expect(conflicts.at(-1)).toBe(
    `127.0.0.1:${first.port} (timeline 1) accepts writes although 127.0.0.1:${second.port} (timeline 2) was promoted after it: ` +
      'stop it and rebuild it as a replica',
  );
  expect(await portInUse()).toBe(second.port);
  const session = await openSession({ url, applicationName: 'test', settings: null });
  expect(session.port).toBe(second.port);
  await closeSession(session);

  await second.kill();
  await watch.check();
  expect(conflicts.at(-1)).toMatch(
    /is not used, because a server that is away was promoted after it \(timeline 2\)/,
  );
  await expect(portInUse()).rejects.toThrow('No connection to the database');
});
