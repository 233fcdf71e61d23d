import pino from 'pino';

/** What comes together beyond it is written before its time. */
const mostBytes = 15 * 1024;
/** Too short for anybody to notice, and long enough for many lines to be written in one go. */
const writeAfterMs = 10;

interface Stdout extends pino.DestinationStream {
  /** pino calls it after a fatal line. */
  flushSync(): void;
}

/** Standard output. Lines wait a moment for others, so that a busy service does not write each by itself. */
export function openStdout(): Stdout {
  const stdout = pino.destination({ fd: 1, sync: true, minLength: mostBytes });
  const flushSync = () => stdout.flushSync();
  let isWaiting = false;
  const write = () => {
    isWaiting = false;
    // Not `flushSync`, which would wait for the disk, too.
    stdout.flush();
  };
  process.on('exit', flushSync);
  return {
    write: (line) => {
      stdout.write(line);
      if (isWaiting) return;
      isWaiting = true;
      setTimeout(write, writeAfterMs).unref();
    },
    flushSync,
  };
}
