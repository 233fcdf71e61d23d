import { mkdir, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
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
