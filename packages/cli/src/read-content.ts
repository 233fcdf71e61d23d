import { readFile } from 'node:fs/promises';
import { addAbortSignal } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import type { Cli } from './cli.ts';

/** The bytes of a file; those of the standard input for `-`. */
export function readContent({ input, signal }: Pick<Cli, 'input' | 'signal'>, path: string): Promise<Buffer> {
  return path === '-' ? buffer(addAbortSignal(signal, input)) : readFile(path);
}
