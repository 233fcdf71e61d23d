import type { Keyfront } from '@keyfront/sdk';
import type { Wallet } from './wallet.ts';

/** Signs a wallet in and returns its token. */
export async function signInWallet(
  keyfront: Keyfront,
  wallet: Wallet,
  isAdministrator: boolean,
  signal: AbortSignal,
): Promise<string> {
  const request = { walletAddress: wallet.address, ...(isAdministrator && { type: 'admin' }) };
  const { message } = await keyfront.auth.nonce(request, { signal });
  const signature = await wallet.signMessage({ message });
  return (await keyfront.auth.signIn({ message, signature }, { signal })).token;
}
