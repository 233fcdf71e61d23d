/** What the shell is told. */
export const exitCodes = {
  ok: 0,
  other: 1,
  usage: 2,
  authentication: 3,
  /** Forbidden, not found, not valid: the service understood the request and refuses it. */
  refused: 4,
  /** No answer, or the answer of a server in trouble: the same command may work later. */
  unreachable: 5,
} as const;

export type ExitCode = (typeof exitCodes)[keyof typeof exitCodes];

/** A failure that is explained in one sentence, which says what to do. */
export class Failure extends Error {
  override readonly name = 'Failure';
  readonly exitCode: ExitCode;

  constructor(message: string, exitCode: ExitCode = exitCodes.other, options?: ErrorOptions) {
    super(message, options);
    this.exitCode = exitCode;
  }
}

/** A failure of whoever typed the command. */
export function misuse(message: string): Failure {
  return new Failure(message, exitCodes.usage);
}
