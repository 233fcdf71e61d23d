import { CliError, exitCodes } from './cli-error.ts';
import type { Output } from './context.ts';
import { systemErrorReason } from './system-error-reason.ts';

/** The reader of standard output has closed it, as `head` does. That is no failure. */
export class OutputClosed extends Error {
  override readonly name = 'OutputClosed';
}

/**
 * Runs a command and waits until its output is written. Fails as soon as standard output cannot be written, even if the
 * command is still at work.
 */
export async function withOutput(stdout: Output, run: () => Promise<void>): Promise<void> {
  const failure = new Promise<never>((_resolve, reject) => {
    // Stays registered: a stream may emit an error for each write, and an error without a listener ends the process.
    stdout.on('error', (error) => reject(describeOutputError(error)));
  });
  try {
    await Promise.race([run(), failure]);
  } finally {
    // Replaces the error of a command that has failed because its output failed.
    await Promise.race([writeAll(stdout), failure]);
  }
}

/** Resolves when everything is written. Stays pending if that fails, because the stream emits the error. */
function writeAll(stdout: Output): Promise<void> {
  return new Promise((resolve) => {
    stdout.write('', (error) => {
      if (!error) resolve();
    });
  });
}

function describeOutputError(error: Error): Error {
  if ('code' in error && error.code === 'EPIPE') return new OutputClosed(error.message, { cause: error });
  return new CliError(`Cannot write to standard output: ${systemErrorReason(error)}`, exitCodes.failure, {
    cause: error,
  });
}
