import { CliError } from '../cli-error.ts';
import type { Context } from '../context.ts';
import { openPrompt } from './prompt.ts';

/** Asks for confirmation if a person is at the terminal. Fails unless the reply is yes. */
export async function confirm(context: Context, question: string): Promise<void> {
  if (!context.stdin.isTTY) return;
  const prompt = openPrompt(context);
  try {
    const reply = await prompt.ask(`${question} [y/N] `);
    if (!/^y(?:es)?$/i.test(reply)) throw new CliError('Canceled');
  } finally {
    prompt.close();
  }
}
