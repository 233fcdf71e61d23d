import { constants } from 'node:os';
import type { Cli } from './cli.ts';
import { addCommands } from './commands/all.ts';
import { explainError } from './explain-error.ts';
import { exitCodes } from './failure.ts';
import { createProgram } from './program.ts';
import { styleFor } from './terminal/style.ts';

/** Runs the command line of this process; gives the exit code. */
export async function main(args: readonly string[] = process.argv.slice(2)): Promise<number> {
  const interruption = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    // The second one ends the process whatever it is at.
    process.once(signal, () => interruption.abort(signal));
  }
  // Whoever reads has seen enough, as `head` does.
  process.stdout.on('error', (error) => process.exit('code' in error && error.code === 'EPIPE' ? 0 : 1));
  return run(args, {
    env: process.env,
    input: process.stdin,
    output: process.stdout,
    errors: process.stderr,
    fetch: globalThis.fetch,
    now: () => new Date(),
    signal: interruption.signal,
  });
}

/** Runs one command in the given world; gives the exit code. */
export async function run(args: readonly string[], cli: Cli): Promise<number> {
  const program = createProgram(cli);
  addCommands(program, cli);
  try {
    await program.parseAsync(args, { from: 'user' });
    return exitCodes.ok;
  } catch (error) {
    if (cli.signal.aborted) return exitCodeAfter(cli.signal.reason);
    const { sentence, exitCode } = explainError(error);
    if (sentence !== null) {
      cli.errors.write(`${styleFor(cli.errors, cli.env).red('error:')} ${sentence}\n`);
      if (cli.env.DEBUG && error instanceof Error) cli.errors.write(`${error.stack}\n`);
    }
    return exitCode;
  }
}

/** As a shell has it for a program that a signal ended. */
function exitCodeAfter(signal: unknown): number {
  const [, number] = Object.entries(constants.signals).find(([name]) => name === signal) ?? [];
  return 128 + (number ?? constants.signals.SIGINT);
}
