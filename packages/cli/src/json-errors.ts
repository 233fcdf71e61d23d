import { AuthenticationError, KeyfrontError, ValidationError } from '@keyfront/sdk';
import { CommanderError } from 'commander';
import { describeError } from './describe-error.ts';
import { toPlainText } from './terminal/style.ts';

/** An error for scripts. What is not known is left out. */
export interface JsonError {
  readonly message: string;
  readonly exitCode: number;
  /** Stable name of an error of the service. */
  readonly code?: string;
  readonly status?: number;
  /** What is wrong with the credentials, for a 401. */
  readonly reason?: string;
  /** One sentence for each violated rule, for a 400. They begin with the field of the API, not with the flag. */
  readonly issues?: readonly string[];
  readonly requestId?: string;
  readonly docsUrl?: string;
}

/** Whether errors are printed as JSON too. Also before the options are read: they may be what is wrong. */
export function asksForJson(args: readonly string[]): boolean {
  const end = args.indexOf('--');
  return (end < 0 ? args : args.slice(0, end)).includes('--json');
}

/** Describes any error for scripts. */
export function describeErrorAsJson(error: unknown): JsonError {
  const { message, exitCode } = describeError(error);
  const ofSdk = [error, error instanceof Error ? error.cause : null].find(
    (each): each is KeyfrontError => each instanceof KeyfrontError,
  );
  return {
    message: message ?? readMessage(error),
    exitCode,
    ...(ofSdk?.code && { code: ofSdk.code }),
    ...(ofSdk?.status && { status: ofSdk.status }),
    ...(ofSdk instanceof AuthenticationError && ofSdk.reason && { reason: ofSdk.reason }),
    ...(ofSdk instanceof ValidationError && { issues: ofSdk.issues }),
    ...(ofSdk?.requestId && { requestId: ofSdk.requestId }),
    ...(ofSdk?.docsUrl && { docsUrl: ofSdk.docsUrl }),
  };
}

/** Commander begins its messages with a word that is the name of the field here. */
function readMessage(error: unknown): string {
  const text = error instanceof CommanderError ? error.message.replace(/^error: /, '') : String(error);
  return toPlainText(text);
}
