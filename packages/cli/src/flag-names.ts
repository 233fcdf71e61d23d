import { ValidationError } from '@keyfront/sdk';
import { CliError, exitCodes } from './cli-error.ts';

/**
 * Runs a request whose fields come from flags. If the service rejects a field, the error names the flag that the user
 * typed: `--from must be a valid ISO 8601 date string` instead of `startDate must be …`.
 */
export async function withFlagNames<Result>(
  flags: Readonly<Record<string, string>>,
  run: () => Promise<Result>,
): Promise<Result> {
  try {
    return await run();
  } catch (error) {
    if (!(error instanceof ValidationError)) throw error;
    // Every issue begins with the name of its field.
    const issues = error.issues.map((issue) => issue.replace(/^\w+/, (field) => flags[field] ?? field));
    throw new CliError(issues.join('; '), exitCodes.rejected, { cause: error });
  }
}
