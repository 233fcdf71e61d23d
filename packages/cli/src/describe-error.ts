import {
  AuthenticationError,
  ConnectionError,
  KeyfrontError,
  RateLimitError,
  ServerError,
  ValidationError,
} from '@keyfront/sdk';
import { CommanderError } from 'commander';
import { CliError, type ExitCode, exitCodes } from './cli-error.ts';
import { nameSdkOptions } from './name-sdk-options.ts';
import { systemErrorReason } from './system-error-reason.ts';
import { toPlainText } from './terminal/style.ts';

export interface ErrorDescription {
  /** Null if the message has been printed already. */
  readonly message: string | null;
  /** URL of the page that explains the error. */
  readonly docsUrl?: string | null;
  readonly exitCode: ExitCode;
}

/** The message and the exit code for any error. */
export function describeError(error: unknown): ErrorDescription {
  // Commander prints its own errors, and throws after it has printed help.
  if (error instanceof CommanderError) {
    return { message: null, exitCode: error.exitCode === 0 ? exitCodes.ok : exitCodes.usage };
  }
  if (error instanceof CliError) return { message: toPlainText(error.message), exitCode: error.exitCode };
  if (error instanceof KeyfrontError) {
    // Only errors of Keyfront itself have a code and a page.
    const docsUrl = error.code === null ? null : error.docsUrl;
    return { message: messageOf(error), docsUrl, exitCode: exitCodeOf(error) };
  }
  return { message: toPlainText(describeSystemError(error)), exitCode: exitCodes.failure };
}

function exitCodeOf(error: KeyfrontError): ExitCode {
  if (error instanceof AuthenticationError) return exitCodes.authentication;
  if (error instanceof ConnectionError || error instanceof ServerError) return exitCodes.unavailable;
  if (error instanceof RateLimitError) return exitCodes.unavailable;
  return error.status !== null && error.status >= 400 ? exitCodes.rejected : exitCodes.failure;
}

/** The message with what a script or a support request needs: the code, and the request ID of a server error. */
function messageOf(error: KeyfrontError): string {
  const details = [
    // Validation issues say more than the code that they share.
    ...(error.code !== null && !(error instanceof ValidationError) ? [error.code] : []),
    ...(error instanceof ServerError && error.requestId !== null ? [`request ID ${error.requestId}`] : []),
  ];
  // The SDK itself throws this message; the service would have sent a code or validation issues.
  const isOfSdk = error.code === null && !(error instanceof ValidationError);
  const message = isOfSdk ? nameSdkOptions(error.message) : error.message;
  return toPlainText(details.length === 0 ? message : `${message} (${details.join(', ')})`);
}

/** The message of any other error. For one about a file: its path and a reason in plain English. */
function describeSystemError(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if (!('code' in error) || !('path' in error)) return error.message;
  return `${error.path}: ${systemErrorReason(error)}`;
}
