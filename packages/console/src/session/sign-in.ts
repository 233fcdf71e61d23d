import { publicKeyfront } from './keyfront.ts';
import { type Session, startSession } from './session-store.ts';

/** A wallet that can sign a text. */
export interface SigningWallet {
  readonly name: string;
  readonly address: string;
  signMessage(message: string): Promise<string>;
}

/** Lets the wallet sign the message of the service (ERC-4361), and begins the session. */
export async function signIn(wallet: SigningWallet, role: Session['role']): Promise<void> {
  const { message } = await publicKeyfront.auth.nonce({
    walletAddress: wallet.address,
    ...(role === 'administrator' ? { type: 'admin' } : {}),
  });
  const signature = await wallet.signMessage(message);
  const { token, expiresAt } = await publicKeyfront.auth.signIn({ message, signature });
  startSession({ token, expiresAt, role, walletAddress: wallet.address, walletName: wallet.name });
}
