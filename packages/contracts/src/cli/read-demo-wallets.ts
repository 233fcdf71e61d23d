import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Address, isAddress } from 'viem';
import { ChainError } from './chain-error.ts';

/** A wallet of the demo and the digital keys that the service says it owns. */
export interface DemoWallet {
  readonly name: string;
  readonly walletAddress: Address;
  readonly tokenIds: readonly number[];
}

/** Reads from the service's data folder who owns which digital keys in the demo. */
export async function readDemoWallets(folder: string): Promise<DemoWallet[]> {
  const path = join(folder, 'demo.json');
  const holders = readHolders(await readText(path));
  if (holders === null) {
    throw new ChainError(`The file ${path} is not the demo's: remove it and start the service anew.`);
  }
  return holders.map(({ name, walletAddress, tokenIds }) => ({ name, walletAddress, tokenIds }));
}

async function readText(path: string): Promise<string> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    const isMissing = error instanceof Error && 'code' in error && error.code === 'ENOENT';
    throw new ChainError(
      isMissing
        ? `There is no ${path} with the demo's wallets: start the service once first (npm start).`
        : `The file ${path} cannot be read (${error instanceof Error ? error.message : error}).`,
      { cause: error },
    );
  }
}

function readHolders(text: string): DemoWallet[] | null {
  try {
    const { holders } = JSON.parse(text);
    return Array.isArray(holders) && holders.length > 0 && holders.every(isDemoWallet) ? holders : null;
  } catch {
    return null;
  }
}

function isDemoWallet(value: unknown): value is DemoWallet {
  if (typeof value !== 'object' || value === null) return false;
  if (!('name' in value && 'walletAddress' in value && 'tokenIds' in value)) return false;
  const { name, walletAddress, tokenIds } = value;
  return (
    typeof name === 'string' &&
    typeof walletAddress === 'string' &&
    isAddress(walletAddress, { strict: false }) &&
    Array.isArray(tokenIds) &&
    tokenIds.every((tokenId) => Number.isSafeInteger(tokenId) && tokenId >= 0)
  );
}
