import {
  AuthenticationError,
  ConnectionError,
  KeyfrontError,
  RateLimitError,
  ServerError,
} from '@keyfront/sdk';
import { CommanderError } from 'commander';
import { CliError, type ExitCode, exitCodes } from './cli-error.ts';
import { toPlainText } from './terminal/style.ts';

export interface ErrorDescription {
  /** Null if the message has been printed already. */
  readonly message: string | null;
  readonly exitCode: ExitCode;
}

/** The message and the exit code for any error. */
export function describeError(error: unknown): ErrorDescription {
  // Commander prints its own errors, and throws after it has printed help.
  if (error instanceof CommanderError) {
    return { message: null, exitCode: error.exitCode === 0 ? exitCodes.ok : exitCodes.usage };
  }
  if (error instanceof CliError) return { message: toPlainText(error.message), exitCode: error.exitCode };
  if (error instanceof KeyfrontError) return { message: messageOf(error), exitCode: exitCodeOf(error) };
  return { message: toPlainText(describeSystemError(error)), exitCode: exitCodes.failure };
}

function exitCodeOf(error: KeyfrontError): ExitCode {
  if (error instanceof AuthenticationError) return exitCodes.authentication;
  if (error instanceof ConnectionError || error instanceof ServerError) return exitCodes.unavailable;
  if (error instanceof RateLimitError) return exitCodes.unavailable;
  return error.status !== null && error.status >= 400 ? exitCodes.rejected : exitCodes.failure;
}

function messageOf(error: KeyfrontError): string {
  const message = toPlainText(error.message);
  if (!(error instanceof ServerError) || error.requestId === null) return message;
  return `${message} (request ID ${toPlainText(error.requestId)})`;
}

/** Replaces Node's messages about files, which begin with an error code and a system call. */
function describeSystemError(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if (!('code' in error) || !('path' in error)) return error.message;
  const reasons: Readonly<Record<string, string>> = {
    ENOENT: 'no such file or directory',
    EACCES: 'permission denied',
    EISDIR: 'is a directory',
    ENOTDIR: 'part of the path is not a directory',
    ENOSPC: 'no space left on the disk',
    EROFS: 'the file system is read-only',
  };
  return `${error.path}: ${reasons[String(error.code)] ?? error.message}`;
}
