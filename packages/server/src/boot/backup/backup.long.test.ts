import { renameSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type EmbeddedPostgres, startEmbeddedPostgres } from '@keyfront/embedded-postgres';
import { expect, it, onTestFinished } from 'vitest';
import { runSql } from '../../../../../test/support/test-database.ts';
import { embeddedAccess } from '../data-folder/open-database.ts';
import { readOrCreateSecrets } from '../data-folder/secrets.ts';
import { backUp } from './back-up.ts';
import { restore } from './restore.ts';

/** Starts the database of a data folder as the service does, without its migrations. */
async function startDatabase(dataFolder: string): Promise<EmbeddedPostgres> {
  const secrets = await readOrCreateSecrets(dataFolder);
  const postgres = await startEmbeddedPostgres({
    dataFolder,
    ...embeddedAccess(secrets),
    durable: false,
  });
  onTestFinished(() => postgres.stop());
  return postgres;
}

it('a backup restores data, images and secrets into an empty folder', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'keyfront-backup-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const [dataFolder, restored, file] = ['data', 'restored', 'backup.tar.gz'].map((name) =>
    join(folder, name),
  ) as [string, string, string];
  await mkdir(join(dataFolder, 'images'), { recursive: true, mode: 0o700 });
  const image = join('images', `${'5c'.repeat(32)}.png`);
  await writeFile(join(dataFolder, image), 'pixels');
  const messages: string[] = [];
  const onProgress = (message: string) => messages.push(message);

  const first = await startDatabase(dataFolder);
  await runSql(first.ownerUrl, 'CREATE TABLE kept AS SELECT 42 AS value');
  await first.stop();
  await backUp({ dataFolder, file, onProgress, hasOwnDataKey: true });
  expect((await stat(file)).mode & 0o777).toBe(0o600);
  expect(messages.at(-2)).toContain('keep it private');
  expect(messages.at(-1)).toContain('DATA_ENCRYPTION_KEY: keep that key');
  await expect(backUp({ dataFolder, file, onProgress })).rejects.toThrow('exists already');
  await expect(restore({ dataFolder, file, onProgress })).rejects.toThrow('is not empty');

  await restore({ dataFolder: restored, file, onProgress });
  expect(await readFile(join(restored, image), 'utf8')).toBe('pixels');
  const second = await startDatabase(restored);
  expect(await runSql(second.ownerUrl, 'SELECT value FROM kept')).toEqual([{ value: 42 }]);
});

it('a backup without a file of archived orders that its database may name is refused', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'keyfront-backup-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const [dataFolder, file] = [join(folder, 'data'), join(folder, 'backup.tar.gz')];
  const archives = join(dataFolder, 'images', 'orders', '7', '2024-01');
  await mkdir(archives, { recursive: true, mode: 0o700 });
  const replaced = join(archives, 'a.jsonl.gz');
  await writeFile(replaced, 'orders');
  await startDatabase(dataFolder);
  // An erasure replaces the file after the backup has begun.
  const onProgress = (message: string) => {
    if (message.startsWith('Backing up')) renameSync(replaced, join(archives, 'b.jsonl.gz'));
  };
  await expect(backUp({ dataFolder, file, onProgress })).rejects.toThrow(
    `The backup ${file} could not be written (archived orders were erased meanwhile, so try again): nothing was left behind.`,
  );
  expect((await readdir(folder)).sort()).toEqual(['data']);
  await backUp({ dataFolder, file, onProgress: () => {} });
});
