import type { Readable } from 'node:stream';
import type { LineWriter } from '@keyfront/log-writer';

/**
 * Passes the log lines of a worker on to the log. Only the primary process writes to the log, so that lines of several
 * processes never mix. While the log is full, nothing is read from the worker, which then drops lines and counts them.
 */
export function relayOutput(
  source: Readable,
  output: Pick<LineWriter, 'relay' | 'isFull' | 'onceDrained'>,
): void {
  let incomplete = '';
  source.setEncoding('utf8');
  source.on('data', (chunk: string) => {
    const text = incomplete + chunk;
    const end = text.lastIndexOf('\n') + 1;
    incomplete = text.slice(end);
    if (end > 0) output.relay(text.slice(0, end));
    if (!output.isFull) return;
    source.pause();
    output.onceDrained(() => source.resume());
  });
  source.on('end', () => {
    // A worker that was killed leaves a line without its end.
    if (incomplete !== '') output.relay(`${incomplete}\n`);
  });
}
