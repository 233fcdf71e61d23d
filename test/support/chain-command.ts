import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { onTestFinished } from 'vitest';

/** The compiled file that `npm run chain` runs. */
const entry = fileURLToPath(new URL('../../packages/contracts/dist/cli/chain.js', import.meta.url));

export interface ChainCommand {
  readonly child: ChildProcess;
  /** What it has printed so far. */
  readonly printed: { readonly text: string };
  readonly ended: Promise<{ readonly how: number | string; readonly text: string }>;
}

/** A folder for one test. */
export async function makeChainFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'keyfront-chain-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

/** Runs what `npm run chain` runs, in a folder and until the end of the test. */
export function runChain(
  folder: string,
  args: readonly string[],
  environment: Record<string, string> = { KEYFRONT_DATA: folder },
): ChainCommand {
  const child = spawn(process.execPath, [entry, ...args], {
    cwd: folder,
    env: environment,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const printed = { text: '' };
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk) => {
      printed.text += chunk;
    });
  }
  const ended = once(child, 'close').then(([code, signal]) => ({ how: signal ?? code, text: printed.text }));
  onTestFinished(async () => {
    // SIGTERM instead of SIGKILL, so that the command stops its anvil too.
    if (child.exitCode === null && child.kill('SIGTERM')) await ended;
  });
  return { child, printed, ended };
}
