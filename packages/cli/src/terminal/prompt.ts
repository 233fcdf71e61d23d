import { createInterface } from 'node:readline';
import { Writable } from 'node:stream';
import { usageError } from '../cli-error.ts';
import type { Context } from '../context.ts';

export interface Prompt {
  ask(question: string): Promise<string>;
  /** Does not echo the typed characters. */
  askSecret(question: string): Promise<string>;
  close(): void;
}

/** Asks questions on the terminal. One reader serves all of them, so that typed-ahead lines are not lost. */
export function openPrompt({ stdin, stderr, signal }: Pick<Context, 'stdin' | 'stderr' | 'signal'>): Prompt {
  let isMuted = false;
  const echo = new Writable({
    write(chunk, _encoding, done) {
      if (!isMuted) stderr.write(chunk);
      done();
    },
  });
  const reader = createInterface({ input: stdin, output: echo, terminal: true, historySize: 0 });
  const lines = reader[Symbol.asyncIterator]();
  // In raw mode Ctrl-C reaches only the reader. Pass it on to the process.
  reader.on('SIGINT', () => process.kill(process.pid, 'SIGINT'));
  const interrupt = () => {
    // Otherwise the shell would print its prompt behind the question.
    stderr.write('\n');
    reader.close();
  };
  signal.addEventListener('abort', interrupt, { once: true });

  const ask = async (question: string): Promise<string> => {
    stderr.write(question);
    const line = await lines.next();
    if (isMuted) stderr.write('\n');
    if (line.done) throw usageError('Input ended before the question was answered');
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
    close: () => {
      signal.removeEventListener('abort', interrupt);
      reader.close();
    },
  };
}
