import { constants } from 'node:os';
import { exitCodes } from './cli-error.ts';
import { registerCommands } from './commands/register-commands.ts';
import { completeCommand, printCompletions } from './completion/print-completions.ts';
import type { Context } from './context.ts';
import { describeError } from './describe-error.ts';
import { asksForJson, describeErrorAsJson } from './json-errors.ts';
import { createProgram } from './program.ts';
import { compactJson } from './terminal/pretty-json.ts';
import { styleFor, toPlainText } from './terminal/style.ts';
import { OutputClosed, withOutput } from './with-output.ts';

/** Runs the command line of this process and returns its exit code. */
export async function main(args: readonly string[] = process.argv.slice(2)): Promise<number> {
  const interruption = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    // A second signal finds no handler and ends the process at once.
    process.once(signal, () => interruption.abort(signal));
  }
  let isOutputLost = false;
  process.stdout.on('error', () => {
    isOutputLost = true;
  });
  // Nobody is left to tell. The exit code still reports the result.
  process.stderr.on('error', () => {});
  const exitCode = await run(args, {
    env: process.env,
    stdin: process.stdin,
    stdout: process.stdout,
    stderr: process.stderr,
    fetch: globalThis.fetch,
    now: () => new Date(),
    signal: interruption.signal,
  });
  // The command may still be waiting for a response.
  if (isOutputLost) process.exit(exitCode);
  return exitCode;
}

/** Runs one command in the given context and returns its exit code. */
export async function run(args: readonly string[], context: Context): Promise<number> {
  try {
    await withOutput(context.stdout, () => runCommand(args, context));
    return exitCodes.ok;
  } catch (error) {
    if (context.signal.aborted) return exitCodeOfSignal(context.signal.reason);
    if (error instanceof OutputClosed) return exitCodes.ok;
    const { message, docsUrl, exitCode } = describeError(error);
    if (asksForJson(args) && exitCode !== exitCodes.ok) {
      context.stderr.write(`${compactJson({ error: describeErrorAsJson(error) })}\n`);
    } else if (message !== null) {
      const { red, dim } = styleFor(context.stderr, context.env);
      context.stderr.write(`${red('error:')} ${message}\n`);
      // For people. A script reads the first line.
      if (docsUrl && context.stderr.isTTY) context.stderr.write(`${dim(`See ${toPlainText(docsUrl)}`)}\n`);
      if (context.env.DEBUG && error instanceof Error) context.stderr.write(`${error.stack}\n`);
    }
    return exitCode;
  }
}

async function runCommand(args: readonly string[], context: Context): Promise<void> {
  const program = createProgram(context, { printsErrors: !asksForJson(args) });
  registerCommands(program, context);
  if (args[0] === completeCommand) await printCompletions(program, args.slice(1), context);
  else await program.parseAsync(rewriteHelp(args), { from: 'user' });
}

/** Without arguments, prints help. `help orders export` is `orders export --help`; Commander reads only one word. */
function rewriteHelp(args: readonly string[]): string[] {
  const [first, ...rest] = args;
  return first === undefined || first === 'help' ? [...rest, '--help'] : [...args];
}

/** Shells report a program that a signal ended as 128 plus the number of the signal. */
function exitCodeOfSignal(signal: unknown): number {
  const [, number] = Object.entries(constants.signals).find(([name]) => name === signal) ?? [];
  return 128 + (number ?? constants.signals.SIGINT);
}
