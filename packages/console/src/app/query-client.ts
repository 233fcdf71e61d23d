import { AuthenticationError } from '@keyfront/sdk';
import { MutationCache, QueryCache, QueryClient } from '@tanstack/react-query';
import { noteAnswer, noteFailure } from '../session/service-state.ts';
import { endSession, getSession, type Session } from '../session/session-store.ts';

let current: { readonly token: string | null; readonly queryClient: QueryClient } | null = null;

/**
 * The client that holds what was loaded in a session. Each session has its own, so that nobody sees what somebody else has loaded in
 * the same browser. What a request of an earlier session still writes goes to a client that no page uses any more.
 */
export function queryClientOf(session: Session | null): QueryClient {
  const token = session?.token ?? null;
  if (!current || current.token !== token) current = { token, queryClient: createQueryClient(token) };
  return current.queryClient;
}

const requests = {
  // The SDK repeats what is safe to repeat.
  retry: false,
  // Otherwise whatever is done without a connection would wait for one and say nothing. It has to fail and be taken back.
  networkMode: 'always',
} as const;

function createQueryClient(token: string | null): QueryClient {
  /** A token that the service no longer accepts ends its session: the page that asks to sign in takes over. */
  const onError = (error: Error) => {
    noteFailure(error);
    if (error instanceof AuthenticationError && getSession()?.token === token) endSession('expired');
  };
  return new QueryClient({
    queryCache: new QueryCache({ onError, onSuccess: noteAnswer }),
    mutationCache: new MutationCache({ onError, onSuccess: noteAnswer }),
    defaultOptions: {
      queries: { ...requests, staleTime: 15_000, refetchOnReconnect: true },
      mutations: requests,
    },
  });
}
