import type { Session } from '../../session/session-store.ts';
import type { SigningWallet } from '../../session/sign-in.ts';

export interface SignInAttempt {
  readonly open: () => Promise<SigningWallet>;
  readonly role: Session['role'];
}
