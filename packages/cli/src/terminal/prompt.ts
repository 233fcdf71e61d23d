import { createInterface } from 'node:readline';
import { Writable } from 'node:stream';
import type { Cli } from '../cli.ts';
import { misuse } from '../failure.ts';

export interface Prompt {
  ask(question: string): Promise<string>;
  /** Shows nothing of what is typed. */
  askSecret(question: string): Promise<string>;
  close(): void;
}

/** Asks whoever sits at the terminal. One reader for all questions, so that no line typed ahead is lost. */
export function openPrompt({ input, errors, signal }: Pick<Cli, 'input' | 'errors' | 'signal'>): Prompt {
  let isMuted = false;
  const echo = new Writable({
    write(chunk, _encoding, done) {
      if (!isMuted) errors.write(chunk);
      done();
    },
  });
  const reader = createInterface({ input, output: echo, terminal: true, historySize: 0 });
  const lines = reader[Symbol.asyncIterator]();
  // Otherwise the reader keeps Ctrl-C to itself.
  reader.on('SIGINT', () => process.kill(process.pid, 'SIGINT'));
  signal.addEventListener('abort', () => reader.close(), { once: true });

  const ask = async (question: string): Promise<string> => {
    errors.write(question);
    const line = await lines.next();
    if (isMuted) errors.write('\n');
    if (line.done) throw misuse('The input ended before the answer');
    return line.value.trim();
  };
  return {
    ask,
    askSecret: async (question) => {
      isMuted = true;
      try {
        return await ask(question);
      } finally {
        isMuted = false;
      }
    },
    close: () => reader.close(),
  };
}
