import { dirname } from 'node:path';
import { describe, expect, it } from 'vitest';
import { runCommand } from './support/server-command.ts';
import { withDataFolder } from './support/service-process.ts';

describe('keyfront-server', () => {
  it('describes its commands, and refuses others', async () => {
    await withDataFolder(async (folder) => {
      const help = await runCommand(dirname(folder), '--help');
      expect(help).toMatchObject({ how: 0, output: expect.stringContaining('backup <file>') });
      const backupHelp = await runCommand(dirname(folder), 'backup', '--help');
      expect(backupHelp).toMatchObject({ how: 0, output: expect.stringContaining('secrets.json') });
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
});
