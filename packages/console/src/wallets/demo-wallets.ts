import type { SigningWallet } from '../session/sign-in.ts';

export interface DemoWallet {
  readonly name: string;
  readonly isAdmin: boolean;
  readonly walletAddress: string;
  readonly walletPrivateKey: `0x${string}`;
}

/** The wallets of the demo. The service hands them out to a browser that has opened the link of the start. */
export async function fetchDemoWallets(): Promise<readonly DemoWallet[]> {
  const response = await fetch('/console/demo-wallets');
  if (!response.ok) throw new Error('The service has not handed out its demo wallets');
  return (await response.json()).wallets;
}

/** Makes a wallet of it that signs in this page. */
export async function openDemoWallet({ name, walletPrivateKey }: DemoWallet): Promise<SigningWallet> {
  // Loaded on demand, because it brings the arithmetic of the curve.
  const { privateKeyToAccount } = await import('viem/accounts');
  const account = privateKeyToAccount(walletPrivateKey);
  return { name, address: account.address, signMessage: (message) => account.signMessage({ message }) };
}
