import { type QueryClient, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { showSuccess } from '../components/toasts.tsx';

/** Reaches the other tabs of the browser. All tabs share the session. */
const otherTabs = new BroadcastChannel('keyfront.primary-key');

/** Shows in all tabs what belongs to a digital key that has just become the primary one. */
export async function followPrimaryKey(queryClient: QueryClient, tokenId: number): Promise<void> {
  otherTabs.postMessage(tokenId);
  await reload(queryClient, tokenId);
}

/** Follows a switch of the primary digital key in another tab. */
export function usePrimaryKeyOfOtherTabs(): void {
  const queryClient = useQueryClient();
  useEffect(() => {
    const onMessage = ({ data }: MessageEvent<number>) => void reload(queryClient, data);
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

async function reload(queryClient: QueryClient, tokenId: number): Promise<void> {
  showSuccess(`Digital key ${tokenId} is now the primary one`);
  // Everything on every page belongs to the primary digital key.
  await queryClient.invalidateQueries();
}
