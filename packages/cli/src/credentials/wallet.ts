import { usageError } from '../cli-error.ts';

/** The part of a wallet that signing in needs. */
export interface Wallet {
  readonly address: string;
  signMessage(parameters: { readonly message: string }): Promise<string>;
}

/** The wallet of a private key: 32 bytes in hexadecimal, with or without `0x`. Errors begin with `name`. */
export async function readWallet(text: string, name: string): Promise<Wallet> {
  const [, digits] = /^(?:0x)?([0-9a-f]{64})$/i.exec(text.trim()) ?? [];
  if (digits === undefined) throw usageError(`${name} must contain 64 hexadecimal digits`);
  // Loaded on demand: viem takes longer to load than the rest of the CLI.
  const { privateKeyToAccount } = await import('viem/accounts');
  try {
    return privateKeyToAccount(`0x${digits}`);
  } catch {
    // The message of the library quotes the key.
    throw usageError(`${name} is not a valid secp256k1 private key`);
  }
}
