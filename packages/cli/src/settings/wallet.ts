import { exitCodes, Failure, misuse } from '../failure.ts';

/** What a sign-in asks of a wallet. */
export interface Wallet {
  readonly address: string;
  signMessage(parameters: { readonly message: string }): Promise<string>;
}

/** The wallet of a private key: 32 bytes in hex, with or without `0x`. */
export async function readWallet(text: string): Promise<Wallet> {
  const [, digits] = /^(?:0x)?([0-9a-f]{64})$/i.exec(text.trim()) ?? [];
  if (digits === undefined) throw misuse('The key of the wallet must be 64 hexadecimal digits');
  const { privateKeyToAccount } = await loadViem();
  try {
    return privateKeyToAccount(`0x${digits}`);
  } catch {
    // The sentence of the library would show the key.
    throw misuse('The key of the wallet is no number of the curve');
  }
}

/** Only for wallets, since it takes longer to load than all the rest. */
function loadViem(): Promise<typeof import('viem/accounts')> {
  return import('viem/accounts').catch((error) => {
    throw new Failure(
      'A wallet needs the package viem: install it with `npm install viem`',
      exitCodes.other,
      {
        cause: error,
      },
    );
  });
}
