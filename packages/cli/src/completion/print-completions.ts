import type { Command } from 'commander';
import type { Context } from '../context.ts';
import { toPlainText } from '../terminal/style.ts';
import { completeWords } from './complete-words.ts';

/** The hidden command that the completion scripts call. */
export const completeCommand = '__complete';

/** Prints the candidates for the last word in the form that the completion scripts read. */
export async function printCompletions(
  program: Command,
  words: readonly string[],
  { stdout }: Pick<Context, 'stdout'>,
): Promise<void> {
  const { candidates, isFile } = await completeWords(program, words);
  for (const { value, description = '' } of candidates) {
    stdout.write(`${toPlainText(value)}\t${toPlainText(description)}\n`);
  }
  const isOpen = candidates.length > 0 && candidates.every(({ value }) => /[/=]$/.test(value));
  stdout.write(`${isFile ? ':files' : isOpen ? ':nospace' : ':done'}\n`);
}
