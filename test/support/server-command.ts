import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { onTestFinished } from 'vitest';

const program = fileURLToPath(new URL('../../packages/server/bin/keyfront-server.js', import.meta.url));

/** Starts `keyfront-server` with a command. The end of the test kills it. */
export function startCommand(dataFolder: string, ...args: string[]) {
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

/** Runs `keyfront-server` with a command until it ends. */
export const runCommand = (dataFolder: string, ...args: string[]) => startCommand(dataFolder, ...args).ended;
