import { AuthenticationError } from '@keyfront/sdk';
import { MutationCache, QueryCache, QueryClient } from '@tanstack/react-query';
import { endSession } from '../session/session-store.ts';

/** A token that the service no longer accepts ends the session: the page that asks to sign in takes over. */
function onError(error: Error): void {
  if (error instanceof AuthenticationError) endSession('expired');
}

export const queryClient = new QueryClient({
  queryCache: new QueryCache({ onError }),
  mutationCache: new MutationCache({ onError }),
  // The SDK repeats what is safe to repeat.
  defaultOptions: { queries: { retry: false, staleTime: 15_000 }, mutations: { retry: false } },
});
