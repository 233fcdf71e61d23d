import { createHash } from 'node:crypto';
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import {
  type CompiledContract,
  type CompilerInput,
  compileContracts,
  readCompilerInput,
} from './compile-contracts.ts';

const require = createRequire(import.meta.url);
const output = fileURLToPath(new URL('../dist', import.meta.url));

interface CompileOnceOptions {
  /** Where the outcome is kept. */
  readonly folder?: string;
  readonly compile?: typeof compileContracts;
}

/**
 * Compiles Solidity files to their contracts by name. The outcome is kept in `dist` until a source, a setting or
 * a version changes, since the compiler takes seconds.
 */
export async function compileOnce(
  paths: readonly string[],
  { folder = output, compile = compileContracts }: CompileOnceOptions = {},
): Promise<Record<string, CompiledContract>> {
  const input = await readCompilerInput(paths);
  const kept = join(folder, `contracts-${fingerprint(input)}.json`);
  try {
    return JSON.parse(await readFile(kept, 'utf8'));
  } catch {
    const contracts = await compile(input);
    await mkdir(folder, { recursive: true });
    // Others see the whole file or none.
    const draft = `${kept}.${process.pid}`;
    await writeFile(draft, JSON.stringify(contracts));
    await rename(draft, kept);
    return contracts;
  }
}

function fingerprint(input: CompilerInput): string {
  const versions = ['solc', '@openzeppelin/contracts'].map((name) => require(`${name}/package.json`).version);
  return createHash('sha256')
    .update(JSON.stringify([versions, input]))
    .digest('hex')
    .slice(0, 16);
}
