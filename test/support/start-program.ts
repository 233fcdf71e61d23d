import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { onTestFinished } from 'vitest';

export interface StartedProgram {
  output(): string;
  end(): Promise<void>;
}

/**
 * Starts a program with its children in a group of their own, waits for what it prints when it is ready, if it prints anything, and ends it
 * with the test.
 */
export async function startProgram(
  [command = '', ...args]: readonly string[],
  ready: RegExp | null,
  { cwd, env }: { cwd: string; env: Readonly<Record<string, string | undefined>> },
): Promise<StartedProgram> {
  const child = spawn(command, args, { cwd, env, stdio: ['ignore', 'pipe', 'pipe'], detached: true });
  let printed = '';
  const ended = once(child, 'close');
  const end = async () => {
    if (child.exitCode === null && child.signalCode === null && child.pid)
      process.kill(-child.pid, 'SIGTERM');
    await ended;
  };
  onTestFinished(end);
  await new Promise<void>((resolve, reject) => {
    const read = (chunk: Buffer) => {
      printed += chunk;
      if (ready?.test(printed)) resolve();
    };
    child.stdout.on('data', read);
    child.stderr.on('data', read);
    if (!ready) resolve();
    ended.then(() => reject(new Error(`${command} ended before it was ready:\n${printed}`)), reject);
  });
  return { output: () => printed, end };
}
