import { readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { basename } from 'node:path';
import type { Abi, Hex } from 'viem';

/** A contract as the compiler gives it. */
export interface CompiledContract {
  readonly abi: Abi;
  /** What deploys it, without the arguments of its constructor. */
  readonly bytecode: Hex;
}

/** What the compiler is given: the standard JSON interface of Solidity. */
export interface CompilerInput {
  readonly language: 'Solidity';
  readonly sources: Readonly<Record<string, { readonly content: string }>>;
  readonly settings: object;
}

interface CompilerOutput {
  readonly errors?: readonly { readonly formattedMessage: string }[];
  readonly contracts?: Readonly<
    Record<
      string,
      Readonly<Record<string, { readonly abi: Abi; readonly evm: { readonly bytecode: { object: string } } }>>
    >
  >;
}

const require = createRequire(import.meta.url);

const wantedOutput = { '*': ['abi', 'evm.bytecode.object'] };

/** Reads Solidity files into the input of the compiler; each is known by its name without its folder. */
export async function readCompilerInput(paths: readonly string[]): Promise<CompilerInput> {
  const sources = await Promise.all(
    paths.map(async (path) => [basename(path), { content: await readFile(path, 'utf8') }] as const),
  );
  return {
    language: 'Solidity',
    sources: Object.fromEntries(sources),
    settings: {
      // The oldest with MCOPY, which OpenZeppelin's code uses; later chains run it too.
      evmVersion: 'cancun',
      optimizer: { enabled: true, runs: 200 },
      // Of these files only: to generate code for each import as well would take much longer.
      outputSelection: Object.fromEntries(sources.map(([name]) => [name, wantedOutput])),
    },
  };
}

/** Compiles the files of the input to their contracts by name; throws what the compiler complains about. */
export async function compileContracts(input: CompilerInput): Promise<Record<string, CompiledContract>> {
  // Only here, because it takes a second to load.
  const { default: solc } = await import('solc');
  const output: CompilerOutput = JSON.parse(solc.compile(JSON.stringify(input), { import: readImport }));
  if (output.errors?.length) {
    throw new Error(output.errors.map(({ formattedMessage }) => formattedMessage.trim()).join('\n\n'));
  }
  return Object.fromEntries(
    Object.keys(input.sources).flatMap((file) =>
      Object.entries(output.contracts?.[file] ?? {}).map(([name, { abi, evm }]) => [
        name,
        { abi, bytecode: `0x${evm.bytecode.object}` },
      ]),
    ),
  );
}

/** The compiler asks for imports one by one, and does not wait. */
function readImport(name: string): { contents: string } | { error: string } {
  if (!name.startsWith('@openzeppelin/')) return { error: 'only @openzeppelin is imported' };
  try {
    return { contents: readFileSync(require.resolve(name), 'utf8') };
  } catch (error) {
    return { error: String(error) };
  }
}
