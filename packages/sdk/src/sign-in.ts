import type { Auth } from './operations/auth.ts';

/** The wallet that signs in. Accounts of viem fit as they are, with their address. */
export interface WalletSignIn {
  readonly address: string;
  /** Signs the text as wallets do (ERC-191); gives the signature as `0x` and hexadecimal digits. */
  readonly signMessage: (parameters: { message: string }) => Promise<string>;
  /** Signs in as an administrator. */
  readonly admin?: boolean;
  /** Becomes the holder's address when the wallet has signed in. */
  readonly email?: string;
  readonly signal?: AbortSignal;
}

/** Both steps of a sign-in; gives the token. */
export async function signInWallet(auth: Auth, wallet: WalletSignIn): Promise<string> {
  const { address, admin = false, email, signal } = wallet;
  const options = signal && { signal };
  const request = { walletAddress: address, ...(admin && { type: 'admin' }), ...(email && { email }) };
  const { message } = await auth.nonce(request, options);
  const signature = await wallet.signMessage({ message });
  const { token } = await auth.signIn({ message, signature }, options);
  return token;
}
