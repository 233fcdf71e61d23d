import {
  AuthenticationError,
  ConnectionError,
  KeyfrontError,
  RateLimitError,
  ServerError,
} from '@keyfront/sdk';
import { CommanderError } from 'commander';
import { type ExitCode, exitCodes, Failure } from './failure.ts';
import { toPlainText } from './terminal/style.ts';

export interface Explanation {
  /** Null where all was said already. */
  readonly sentence: string | null;
  readonly exitCode: ExitCode;
}

/** What to tell the user and the shell about an error. */
export function explainError(error: unknown): Explanation {
  // Commander has written its own sentence, or the help that was asked for.
  if (error instanceof CommanderError) {
    return { sentence: null, exitCode: error.exitCode === 0 ? exitCodes.ok : exitCodes.usage };
  }
  if (error instanceof Failure) return { sentence: toPlainText(error.message), exitCode: error.exitCode };
  if (error instanceof KeyfrontError) return { sentence: sentenceOf(error), exitCode: exitCodeOf(error) };
  return { sentence: toPlainText(systemSentence(error)), exitCode: exitCodes.other };
}

function exitCodeOf(error: KeyfrontError): ExitCode {
  if (error instanceof AuthenticationError) return exitCodes.authentication;
  if (error instanceof ConnectionError || error instanceof ServerError) return exitCodes.unreachable;
  if (error instanceof RateLimitError) return exitCodes.unreachable;
  return error.status !== null && error.status >= 400 ? exitCodes.refused : exitCodes.other;
}

function sentenceOf(error: KeyfrontError): string {
  const sentence = toPlainText(error.message);
  const isOfService = error instanceof ServerError && error.requestId !== null;
  return isOfService ? `${sentence} (request ${toPlainText(error.requestId ?? '')})` : sentence;
}

/** Node's own sentences about files begin with the code of the error. */
function systemSentence(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if (!('code' in error) || !('path' in error)) return error.message;
  const reasons: Readonly<Record<string, string>> = {
    ENOENT: 'there is no such file or folder',
    EACCES: 'permission denied',
    EISDIR: 'it is a folder',
    ENOTDIR: 'a part of the path is not a folder',
    ENOSPC: 'the disk is full',
    EROFS: 'the disk cannot be written to',
  };
  return `${error.path}: ${reasons[String(error.code)] ?? error.message}`;
}
