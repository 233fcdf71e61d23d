import { readFile } from 'node:fs/promises';
import { addAbortSignal } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import type { Context } from './context.ts';
import { withPath } from './with-path.ts';

/** Reads a file, or standard input if the path is `-`. */
export function readFileOrStdin(
  { stdin, signal }: Pick<Context, 'stdin' | 'signal'>,
  path: string,
): Promise<Buffer> {
  return path === '-' ? buffer(addAbortSignal(signal, stdin)) : withPath(path, () => readFile(path));
}
