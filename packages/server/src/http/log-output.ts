import pino from 'pino';

/** What comes together beyond it is written before its time. */
const mostCharacters = 15 * 1024;
/** Too short for anybody to notice, and long enough for many lines to be written in one go. */
const writeAfterMs = 10;

interface Stdout extends pino.DestinationStream {
  /** pino calls it after a fatal line. */
  flushSync(): void;
}

/** Standard output. Lines wait a moment for others, so that a busy service does not write each by itself. */
export function openStdout(fd = 1): Stdout {
  const stdout = pino.destination({ fd, sync: true });
  let waiting = '';
  let timer: NodeJS.Timeout | null = null;
  const flushSync = () => {
    if (timer) clearTimeout(timer);
    timer = null;
    const lines = waiting;
    waiting = '';
    if (lines !== '') stdout.write(lines);
  };
  process.on('exit', flushSync);
  return {
    write: (line) => {
      waiting += line;
      if (waiting.length > mostCharacters) flushSync();
      else timer ??= setTimeout(flushSync, writeAfterMs).unref();
    },
    flushSync,
  };
}
