import { Keyfront, type KeyfrontEvent } from '@keyfront/sdk';
import { type QueryClient, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { baseUrl } from '../session/keyfront.ts';
import { ownNfts } from '../session/own-nfts.ts';
import { noteAnswer, noteSilence } from '../session/service-state.ts';
import { useSession } from '../session/session-store.ts';
import { addLiveEvent, clearLiveEvents } from './live-events.ts';

/** The queries that show something that an event of this kind may have changed. */
const changedQueries: Record<string, readonly string[]> = {
  client: ['clients', 'dashboard'],
  order: ['orders', 'dashboard'],
  payment: ['orders', 'dashboard'],
  shipment: ['orders'],
  sale: ['sales', 'dashboard'],
  strain: ['strains'],
  nft_sale: ['nftSales', 'listings'],
  nft: ['holder', 'nftSales', 'transactions'],
  key: ['keys'],
  webhook: ['webhooks'],
};

/** Follows the events of the holder, so that each page shows what others change, without being loaded again. */
export function useLiveEvents(): void {
  const session = useSession();
  const queryClient = useQueryClient();
  const token = session?.role === 'holder' ? session.token : null;
  const { data, isPending } = useQuery({ ...ownNfts, enabled: token !== null });
  const primary = data?.nfts.find(({ isPrimary }) => isPrimary)?.tokenId;
  // biome-ignore lint/correctness/useExhaustiveDependencies: a stream has the events of what was the primary digital key when it began.
  useEffect(() => {
    if (token === null || isPending) return;
    const controller = new AbortController();
    void follow(queryClient, token, controller.signal);
    return () => {
      controller.abort();
      // The next session must not see them, and neither must the pages of another digital key.
      clearLiveEvents();
    };
  }, [token, queryClient, isPending, primary]);
}

/** The stream stays open for as long as the page. It must not delay what the page needs to be shown. */
const fetchLast: typeof fetch = async (input, init) => {
  try {
    const response = await fetch(input, { ...init, priority: 'low' });
    if (response.ok) noteAnswer();
    return response;
  } catch (error) {
    if (!init?.signal?.aborted) noteSilence();
    throw error;
  }
};

async function follow(queryClient: QueryClient, token: string, signal: AbortSignal): Promise<void> {
  const keyfront = new Keyfront({ baseUrl, token, fetch: fetchLast });
  try {
    for await (const event of keyfront.events.stream({}, { signal })) {
      if (signal.aborted) return;
      if (addLiveEvent(event)) void queryClient.invalidateQueries({ queryKey: ['events'] });
      invalidate(queryClient, event);
    }
  } catch {
    // The SDK has tried again for as long as that made sense. Pages still load what they show.
  }
}

function invalidate(queryClient: QueryClient, { type }: KeyfrontEvent): void {
  const [subject = ''] = type.split('.');
  for (const noun of changedQueries[subject] ?? []) {
    void queryClient.invalidateQueries({ queryKey: [noun] });
  }
}
