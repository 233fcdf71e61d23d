import { type QueryClient, useMutation, useQueryClient } from '@tanstack/react-query';
import { useRouter } from '@tanstack/react-router';
import { useEffect } from 'react';
import { showFailure, showSuccess } from '../components/toasts.tsx';
import { texts } from '../texts/layout.ts';
import { getKeyfront } from './keyfront.ts';

/** Reaches the other tabs of the browser. All tabs share the session. */
const otherTabs = new BroadcastChannel('keyfront.primary-key');

/** Makes another digital key the primary one, and shows in all tabs what belongs to it. */
export function useSwitchKey({ staysOnPage }: { readonly staysOnPage: boolean }) {
  const queryClient = useQueryClient();
  const leaveResource = useLeaveResource();
  return useMutation({
    mutationFn: (tokenId: number) => getKeyfront().holder.setPrimaryNft({ tokenId }),
    onSuccess: async (_holder, tokenId) => {
      otherTabs.postMessage(tokenId);
      if (!staysOnPage) await leaveResource();
      await reload(queryClient, tokenId);
    },
    onError: (error) => showFailure(texts.digitalKeyWasNotSwitched, error),
  });
}

/** Follows a switch of the primary digital key in another tab. */
export function usePrimaryKeyOfOtherTabs(): void {
  const queryClient = useQueryClient();
  const leaveResource = useLeaveResource();
  // biome-ignore lint/correctness/useExhaustiveDependencies: what leaves the page asks the router when it is called.
  useEffect(() => {
    const onMessage = async ({ data }: MessageEvent<number>) => {
      await leaveResource();
      await reload(queryClient, data);
    };
    // A page that comes back out of the browser's cache has missed the messages in between.
    const onShow = ({ persisted }: PageTransitionEvent) => {
      if (persisted) void queryClient.invalidateQueries();
    };
    otherTabs.addEventListener('message', onMessage);
    window.addEventListener('pageshow', onShow);
    return () => {
      otherTabs.removeEventListener('message', onMessage);
      window.removeEventListener('pageshow', onShow);
    };
  }, [queryClient]);
}

/** Returns what leaves the page of one order, client or webhook for the list of its kind: it belongs to another digital key now. */
function useLeaveResource(): () => Promise<void> {
  const router = useRouter();
  return async () => {
    const page = router.state.matches.at(-1);
    const [list = '', parameter] = page?.fullPath.split('/$') ?? [];
    // Filters by something of the former key would leave the list empty.
    const { clientId, ...search } = (page?.search ?? {}) as Record<string, unknown>;
    if (list !== '' && parameter !== undefined) await router.navigate({ to: list, replace: true });
    else if (clientId !== undefined)
      await router.navigate({ to: '.', search: search as never, replace: true });
  };
}

async function reload(queryClient: QueryClient, tokenId: number): Promise<void> {
  showSuccess(texts.digitalKeyTokenIdIsNowPrimary(tokenId));
  // Everything on every page belongs to the primary digital key. What belongs to the former one is not shown any more.
  await Promise.all([
    queryClient.invalidateQueries({ queryKey: ['holder'] }),
    queryClient.resetQueries({ predicate: ({ queryKey }) => queryKey[0] !== 'holder' }),
  ]);
}
