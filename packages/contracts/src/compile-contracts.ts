import { readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { basename } from 'node:path';
import type { Abi, Hex } from 'viem';

/** The compiled form of a contract. */
export interface CompiledContract {
  readonly abi: Abi;
  /** The creation bytecode, without constructor arguments. */
  readonly bytecode: Hex;
}

/** Input in the standard JSON format of the Solidity compiler. */
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

const selectedOutput = { '*': ['abi', 'evm.bytecode.object'] };

/** Reads Solidity files into compiler input. Sources are named by file name, without the folder. */
export async function readCompilerInput(paths: readonly string[]): Promise<CompilerInput> {
  const sources = await Promise.all(
    paths.map(async (path) => [basename(path), { content: await readFile(path, 'utf8') }] as const),
  );
  return {
    language: 'Solidity',
    sources: Object.fromEntries(sources),
    settings: {
      // The oldest version with MCOPY, which OpenZeppelin uses. Newer chains run it too.
      evmVersion: 'cancun',
      optimizer: { enabled: true, runs: 200 },
      // Only for these files: generating code for every import would take much longer.
      outputSelection: Object.fromEntries(sources.map(([name]) => [name, selectedOutput])),
    },
  };
}

/** Compiles the input and returns its contracts by name. Throws the errors and warnings of the compiler. */
export async function compileContracts(input: CompilerInput): Promise<Record<string, CompiledContract>> {
  // Imported lazily, because loading the compiler takes a second.
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

/** Returns the source of an import. The compiler calls this synchronously. */
function readImport(name: string): { contents: string } | { error: string } {
  if (!name.startsWith('@openzeppelin/')) return { error: 'only imports from @openzeppelin are allowed' };
  try {
    return { contents: readFileSync(require.resolve(name), 'utf8') };
  } catch (error) {
    return { error: String(error) };
  }
}
