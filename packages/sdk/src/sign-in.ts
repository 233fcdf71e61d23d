import type { AuthResource } from './generated/resources.ts';

/** A wallet that signs in. Accounts of viem can be passed directly. */
export interface WalletSignIn {
  /** Address of the wallet. */
  readonly address: string;
  /** Signs the message (ERC-191) and returns the signature as `0x` and hexadecimal digits. */
  readonly signMessage: (parameters: { message: string }) => Promise<string>;
  /** Whether to sign in as an administrator. */
  readonly admin?: boolean;
  /** The domain of the page on which the wallet signs, if it is not that of the service. The operator must allow it. */
  readonly domain?: string;
  /** E-mail address to store for the holder. */
  readonly email?: string;
  /** Aborts the sign-in. */
  readonly signal?: AbortSignal;
}

/** Performs both steps of a sign-in and returns the token. */
export async function signInWallet(auth: AuthResource, wallet: WalletSignIn): Promise<string> {
  const { address, admin = false, domain, email, signal } = wallet;
  const options = signal && { signal };
  const request = {
    walletAddress: address,
    ...(admin && { type: 'admin' }),
    ...(domain && { domain }),
    ...(email && { email }),
  };
  const { message } = await auth.nonce(request, options);
  const signature = await wallet.signMessage({ message });
  const { token } = await auth.signIn({ message, signature }, options);
  return token;
}
