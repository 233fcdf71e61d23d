import { fileURLToPath } from 'node:url';
import type { Hex } from 'viem';
import { digitalKeyAbi, marketplaceAbi } from './abis.ts';
import { compileOnce } from './compile-once.ts';

/** The source files of the contracts. */
export const contractPaths = ['DigitalKey', 'Marketplace'].map((name) =>
  fileURLToPath(new URL(`../contracts/${name}.sol`, import.meta.url)),
);

/** ABI and bytecode of each contract, as viem takes them. */
export interface Contracts {
  readonly digitalKey: { readonly abi: typeof digitalKeyAbi; readonly bytecode: Hex };
  readonly marketplace: { readonly abi: typeof marketplaceAbi; readonly bytecode: Hex };
}

/** Returns the contracts. Compiles them if they are not cached. */
export async function readContracts(): Promise<Contracts> {
  const { DigitalKey, Marketplace } = await compileOnce(contractPaths);
  if (!DigitalKey || !Marketplace) throw new Error('The sources must define DigitalKey and Marketplace.');
  return {
    digitalKey: { abi: digitalKeyAbi, bytecode: DigitalKey.bytecode },
    marketplace: { abi: marketplaceAbi, bytecode: Marketplace.bytecode },
  };
}
