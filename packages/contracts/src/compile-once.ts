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
  /** The folder of the cached output. */
  readonly folder?: string;
  readonly compile?: typeof compileContracts;
}

/**
 * Compiles Solidity files and returns their contracts by name. The compiler takes seconds, so the output is cached in `dist`
 * until a source, a setting or a version changes.
 */
export async function compileOnce(
  paths: readonly string[],
  { folder = output, compile = compileContracts }: CompileOnceOptions = {},
): Promise<Record<string, CompiledContract>> {
  const input = await readCompilerInput(paths);
  const cached = join(folder, `contracts-${fingerprint(input)}.json`);
  try {
    return JSON.parse(await readFile(cached, 'utf8'));
  } catch {
    const contracts = await compile(input);
    await mkdir(folder, { recursive: true });
    // Write and rename, so that other processes never read a partial file.
    const draft = `${cached}.${process.pid}`;
    await writeFile(draft, JSON.stringify(contracts));
    await rename(draft, cached);
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
