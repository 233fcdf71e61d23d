import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { onTestFinished } from 'vitest';

type Settings = Record<string, string> & { readonly KEYFRONT_DATA: string };

const program = fileURLToPath(new URL('../../packages/server/bin/keyfront-server.js', import.meta.url));

/** Starts `keyfront-server` with a command. The end of the test kills it. */
export function startCommand(dataFolder: string, ...args: string[]) {
  return startWithSettings({ KEYFRONT_DATA: dataFolder }, ...args);
}

/** The same with other settings. */
export function startWithSettings(settings: Settings, ...args: string[]) {
  const child = spawn(process.execPath, [program, ...args], {
    env: { PATH: process.env.PATH, ...settings },
    cwd: dirname(settings.KEYFRONT_DATA),
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

/** The same with other settings. */
export const runWithSettings = (settings: Settings, ...args: string[]) =>
  startWithSettings(settings, ...args).ended;
