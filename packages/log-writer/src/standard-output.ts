import { constants, fstatSync, openSync } from 'node:fs';
import { isatty } from 'node:tty';
import { LineWriter } from './line-writer.ts';
import { createTerminalFormat } from './terminal-format.ts';

/** Opens standard output for the log, in the given format. */
export function openLogOutput(format: 'pretty' | 'json'): LineWriter {
  if (format === 'json') return openStdout();
  return openStdout(1, createTerminalFormat(isatty(1) && process.stdout.hasColors()));
}

/** Opens standard output. What is buffered at the exit of the process is written then, within a bounded time. */
export function openStdout(fd = 1, format?: (line: string) => string): LineWriter {
  const writer = new LineWriter(openWithoutBlocking(fd), format);
  process.on('exit', () => writer.flushBeforeExit());
  return writer;
}

/**
 * Returns a descriptor for the same output whose writes do not wait for the reader. A file has no reader to wait for.
 *
 * A pipe and a terminal are opened again, so that the mode changes only for this process: others may share the
 * descriptor, and a program that they start makes it blocking again. A socket cannot be opened again. Node makes it
 * non-blocking when it opens its own stream, and the service starts no program that shares it.
 */
function openWithoutBlocking(fd: number): number {
  const status = fstatSync(fd);
  const isTerminal = isatty(fd);
  if (status.isFIFO() || isTerminal) {
    try {
      return openSync(`/proc/self/fd/${fd}`, constants.O_WRONLY | constants.O_NONBLOCK | constants.O_NOCTTY);
    } catch {
      // There is no /proc, or the pipe belongs to another user.
    }
  }
  // Without a listener, an error of the stream would be an uncaught exception. The writer counts what is lost.
  if (fd === 1 && !isTerminal && !status.isFile()) process.stdout.on('error', () => undefined);
  return fd;
}
