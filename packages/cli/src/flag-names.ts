import { ValidationError } from '@keyfront/sdk';
import { CliError, exitCodes } from './cli-error.ts';

/**
 * Runs a request whose fields come from flags. If the service rejects a field, the error names the flag that the user
 * typed: `--to must not be before --from` instead of `endDate must not be before startDate`.
 */
export async function withFlagNames<Result>(
  flags: Readonly<Record<string, string>>,
  run: () => Promise<Result>,
): Promise<Result> {
  try {
    return await run();
  } catch (error) {
    if (!(error instanceof ValidationError)) throw error;
    const issues = error.issues.map((issue) => nameFlags(issue, flags));
    throw new CliError(issues.join('; '), exitCodes.rejected, { cause: error });
  }
}

/**
 * Every issue begins with the name of its field. A later word is a field only if it cannot be English: `status` may be
 * either, `startDate` may not.
 */
function nameFlags(issue: string, flags: Readonly<Record<string, string>>): string {
  return issue.replaceAll(/\w+(?:\.\w+)*/g, (word, offset: number) =>
    offset === 0 || /[A-Z.]/.test(word) ? (flags[word] ?? word) : word,
  );
}
