import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it, onTestFinished } from 'vitest';
import { withDataFolder } from './support/service-process.ts';

const program = fileURLToPath(new URL('../packages/server/bin/keyfront-server.js', import.meta.url));

/** Runs `keyfront-server` with a command. */
function startCommand(dataFolder: string, ...args: string[]) {
  const child = spawn(process.execPath, [program, ...args], {
    env: { PATH: process.env.PATH, KEYFRONT_DATA: dataFolder },
    cwd: dirname(dataFolder),
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk) => {
      output += chunk;
    });
  }
  const ended = once(child, 'close').then(([code, signal]) => ({ how: signal ?? code, output }));
  return { child, ended };
}

const runCommand = (dataFolder: string, ...args: string[]) => startCommand(dataFolder, ...args).ended;

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
