import pino from 'pino';
import { formatForTerminal } from './pretty-log.ts';

export type LogFormat = 'pretty' | 'json';

/** When more is buffered, it is written at once. */
const maxBufferedCharacters = 15 * 1024;
/** Too short to notice, and long enough to write many lines with one system call. */
const flushAfterMs = 10;

export interface LogOutput extends pino.DestinationStream {
  /** Writes what is buffered. pino calls it after a fatal line. */
  flushSync(): void;
}

/** Opens standard output for the log, in the given format. */
export function openLogOutput(format: LogFormat): LogOutput {
  const stdout = openStdout();
  return format === 'pretty' ? formatForTerminal(stdout, process.stdout.hasColors?.() ?? false) : stdout;
}

/** Opens standard output. Lines are buffered for a moment, so that a busy service does not write each by itself. */
export function openStdout(fd = 1): LogOutput {
  const stdout = pino.destination({ fd, sync: true });
  let buffered = '';
  let timer: NodeJS.Timeout | null = null;
  const flushSync = () => {
    if (timer) clearTimeout(timer);
    timer = null;
    const lines = buffered;
    buffered = '';
    if (lines !== '') stdout.write(lines);
  };
  process.on('exit', flushSync);
  return {
    write: (line) => {
      buffered += line;
      if (buffered.length > maxBufferedCharacters) flushSync();
      else timer ??= setTimeout(flushSync, flushAfterMs).unref();
    },
    flushSync,
  };
}
