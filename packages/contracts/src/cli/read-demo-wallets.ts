import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Address, isAddress } from 'viem';
import { ChainError } from './chain-error.ts';

/** A demo wallet and the digital keys that it owns according to the service. */
export interface DemoWallet {
  readonly name: string;
  readonly walletAddress: Address;
  readonly tokenIds: readonly number[];
}

/** Reads the demo wallets and their digital keys from the data folder of the service. */
export async function readDemoWallets(folder: string): Promise<DemoWallet[]> {
  const path = join(folder, 'demo.json');
  const holders = readHolders(await readText(path));
  if (holders === null) {
    throw new ChainError(`${path} is not a valid demo file. Delete it and restart the service.`);
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
        ? `${path} does not exist. Run npm start once to create the demo data.`
        : `Cannot read ${path}: ${error instanceof Error ? error.message : error}`,
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
