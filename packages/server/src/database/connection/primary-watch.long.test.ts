import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startEmbeddedPostgres } from '@keyfront/embedded-postgres';
import { closeSession, openSession, PrimaryWatch, statement } from '@keyfront/postgres';
import { expect, it, onTestFinished } from 'vitest';
import { startStandby } from '../../../../../faults/src/processes/standby.ts';
import { until } from '../../../../../test/support/until.ts';
import { Database } from '../database.ts';
import { migrate } from '../migrations/migrate.ts';
import { readMigrations } from '../migrations/migrations.ts';
import { systemScope } from '../transactions/scope.ts';

const readPort = statement<{ port: number }>('test.port', `SELECT current_setting('port')::int AS port`);

it('leaves a primary that was promoted first, and returns to it only when its successor is certainly gone', async () => {
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
  for (let checks = 0; checks < 5; checks++) await watch.check();
  expect(conflicts.at(-1)).toBe(
    `127.0.0.1:${first.port} (timeline 1) is not used, because a server was promoted after it (timeline 2) that may still exist: ` +
      `127.0.0.1:${second.port} does not respond. Start that server, or remove it from DATABASE_URL if it is gone`,
  );
  expect(watch.isSuperseded).toBe(true);
  await expect(portInUse()).rejects.toThrow('No connection to the database');

  // The operator gives up the second server, and rebuilds it as a replica of the first.
  const rebuilt = await startStandby(first.ownerUrl, join(folder, 'rebuilt'), {
    isSynchronous: false,
    port: second.port,
  });
  onTestFinished(() => rebuilt.stop());
  await watch.check();
  await expect(portInUse()).rejects.toThrow('No connection to the database');
  await watch.check();
  await watch.check();
  expect(await portInUse()).toBe(first.port);
  expect(watch.isSuperseded).toBe(false);
  expect(conflicts.at(-1)).toBe(
    `127.0.0.1:${first.port} (timeline 1) is used again: all servers respond, and none has the data of the server that was ` +
      'promoted after it (timeline 2)',
  );
  await rebuilt.promote();
  await until(
    () => watch.check().then(portInUse),
    (port) => port === rebuilt.port,
  );
});
