/** The exit codes of every command, as `keyfront --help` and the README list them. */
export const exitCodes = {
  ok: 0,
  failure: 1,
  usage: 2,
  authentication: 3,
  /** The service understood the request and rejected it: invalid, forbidden or not found. */
  rejected: 4,
  /** No response, a rate limit or a server error: the same command may succeed later. */
  unavailable: 5,
  interrupted: 130,
  terminated: 143,
} as const;

export type ExitCode = (typeof exitCodes)[keyof typeof exitCodes];

/** A failure with a message for the user: what is wrong and what to do about it. */
export class CliError extends Error {
  override readonly name = 'CliError';
  readonly exitCode: ExitCode;

  constructor(message: string, exitCode: ExitCode = exitCodes.failure, options?: ErrorOptions) {
    super(message, options);
    this.exitCode = exitCode;
  }
}

/** A mistake in the command line, the environment or the input. */
export function usageError(message: string): CliError {
  return new CliError(message, exitCodes.usage);
}
