import { queryClient } from '../app/query-client.ts';
import { endSession } from './session-store.ts';

/** Ends the session, and forgets everything that was loaded with it. */
export async function signOut(): Promise<void> {
  endSession('signed-out');
  queryClient.clear();
}
