import { readFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { describe, expect, it } from 'vitest';
import { runCommand, runWithSettings } from './support/server-command.ts';
import { onTestCluster, withDataFolder } from './support/service-process.ts';

describe('keyfront-server', () => {
  it('describes its commands, and refuses others', async () => {
    await withDataFolder(async (folder) => {
      const help = await runCommand(dirname(folder), '--help');
      expect(help).toMatchObject({ how: 0, output: expect.stringContaining('backup <file>') });
      const backupHelp = await runCommand(dirname(folder), 'backup', '--help');
      expect(backupHelp).toMatchObject({ how: 0, output: expect.stringContaining('secrets.json') });
      const { version } = JSON.parse(
        readFileSync(new URL('../packages/server/package.json', import.meta.url), 'utf8'),
      );
      expect(await runCommand(dirname(folder), '--version')).toEqual({ how: 0, output: `${version}\n` });
      const unknown = await runCommand(dirname(folder), 'destroy');
      expect(unknown).toMatchObject({
        how: 2,
        output: expect.stringMatching(/^Unknown command "destroy"\.\n/),
      });
      expect(await runCommand(folder, 'backup', 'file')).toEqual({
        how: 1,
        output: `There is no database in ${folder}: set KEYFRONT_DATA to the data folder of the service.\n`,
      });
    });
  });

  it('applies the migrations that a database lacks, and ends', async () => {
    await withDataFolder(async (folder) => {
      await onTestCluster(async (database) => {
        const settings = { ...database, KEYFRONT_DATA: folder };
        const first = await runWithSettings(settings, 'migrate');
        expect(first.output).toMatch(/^Creating the schema\n/);
        const again = await runWithSettings(settings, 'migrate');
        expect(again.output).toMatch(/^The database has all migrations, up to \d{4}_\w+(\.sql)?\n$/);
        expect([first.how, again.how]).toEqual([0, 0]);
        expect(first.output.endsWith(again.output)).toBe(true);
        expect(await runWithSettings(settings, 'migrate', 'now')).toMatchObject({
          how: 2,
          output: expect.stringMatching(/^The command migrate takes no argument\.\n/),
        });
      }, 'nothing');
    });
  });
});
