import { AuthenticationError } from '@keyfront/sdk';
import { showFailure } from '../components/toasts.tsx';
import { texts } from '../texts/layout.ts';
import { clearDrafts } from './drafts.ts';
import { getKeyfront } from './keyfront.ts';
import { endSession } from './session-store.ts';

/** Ends the session on the service and here. Everything that was loaded with it is forgotten. */
export async function signOut(): Promise<void> {
  const keyfront = getKeyfront();
  clearDrafts();
  endSession('signed-out');
  try {
    await keyfront.auth.signOut();
  } catch (error) {
    // A session that the service no longer knows has ended.
    if (!(error instanceof AuthenticationError)) {
      showFailure(texts.youAreSignedOutHereBut, error as Error);
    }
  }
}
