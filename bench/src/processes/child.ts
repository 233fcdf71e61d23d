import { type ChildProcess, fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';

/** A process that answers one question after the other. */
export interface Child<Question, Answer> {
  ask(question: Question): Promise<Answer>;
  end(): Promise<void>;
}

/** What a child sends back. */
type Reply<Answer> = { readonly answer: Answer } | { readonly failure: string };

/** Starts a file of this folder as a process. */
export function startChild<Question extends object, Answer>(file: string): Child<Question, Answer> {
  const child = fork(fileURLToPath(new URL(file, import.meta.url)), { serialization: 'advanced' });
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  return {
    ask: (question) => ask(child, question),
    end: () => {
      child.disconnect();
      return ended;
    },
  };
}

function ask<Answer>(child: ChildProcess, question: object): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const onExit = (code: number | null) => reject(new Error(`A process of the bench ended (${code})`));
    child.once('exit', onExit);
    child.once('message', (reply: Reply<Answer>) => {
      child.off('exit', onExit);
      if ('answer' in reply) resolve(reply.answer);
      else reject(new Error(reply.failure));
    });
    child.send(question);
  });
}

/** The other side: answers every question, and ends with its parent. */
export function answerParent<Question, Answer>(answer: (question: Question) => Promise<Answer>): void {
  process.on('disconnect', () => process.exit(0));
  process.on('message', (question: Question) => {
    answer(question).then(
      (result) => process.send?.({ answer: result }),
      (error) => process.send?.({ failure: error?.stack ?? String(error) }),
    );
  });
}
