import { type QueryClient, queryOptions, useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { getKeyfront } from '../../session/keyfront.ts';
import { ownNfts } from '../../session/own-nfts.ts';
import { texts } from '../../texts/overview.ts';
import { dashboardSummary } from './dashboard-queries.ts';
import { closeOnboarding, hasClosedOnboarding, isOnboardingClosed } from './onboarding-store.ts';

export interface OnboardingStep {
  readonly title: string;
  readonly reason: string;
  readonly to: string;
  readonly search?: Readonly<Record<string, string>>;
  readonly isDone: boolean;
}

export interface Onboarding {
  readonly steps: readonly OnboardingStep[];
  readonly dismiss: () => void;
}

const keyCount = queryOptions({
  queryKey: ['keys', 'count'],
  queryFn: async ({ signal }) =>
    (await getKeyfront().keys.list({ take: 1 }, { signal })).pageMetaDto.itemCount,
});
const webhookCount = queryOptions({
  queryKey: ['webhooks', 'count'],
  queryFn: async ({ signal }) => (await getKeyfront().webhooks.list({ signal })).webhooks.length,
});

/** Asks for what the first steps need before it is known whether they are shown, unless this browser has closed those of a key. */
export function prefetchOnboarding(queryClient: QueryClient): void {
  if (hasClosedOnboarding()) return;
  void queryClient.prefetchQuery(keyCount);
  void queryClient.prefetchQuery(webhookCount);
}

/** The first steps with a digital key. Null if they are done or dismissed, and undefined until that is known. */
export function useOnboarding(): Onboarding | null | undefined {
  const [, setDismissed] = useState<number | null>(null);
  const nfts = useQuery(ownNfts);
  const tokenId = nfts.data?.nfts.find(({ isPrimary }) => isPrimary)?.tokenId;
  const isOpen = tokenId !== undefined && !isOnboardingClosed(tokenId);
  const summary = useQuery({ ...dashboardSummary, enabled: isOpen });
  const keys = useQuery({ ...keyCount, enabled: isOpen });
  const webhooks = useQuery({ ...webhookCount, enabled: isOpen });
  const isLoaded = summary.data !== undefined && keys.data !== undefined && webhooks.data !== undefined;
  const steps = isLoaded
    ? listSteps({
        keys: keys.data,
        clients: summary.data.clients.total,
        orders: summary.data.orders.total,
        webhooks: webhooks.data,
      })
    : [];
  const isDone = isOpen && isLoaded && steps.every((step) => step.isDone);
  useEffect(() => {
    if (isDone) closeOnboarding(tokenId);
  }, [isDone, tokenId]);
  // What cannot be asked for now is no reason to hide the page.
  if ([nfts, summary, keys, webhooks].some(({ error, data }) => error && data === undefined)) return null;
  if (!nfts.data) return undefined;
  if (!isOpen || isDone) return null;
  if (!isLoaded) return undefined;
  return {
    steps,
    dismiss: () => {
      closeOnboarding(tokenId);
      setDismissed(tokenId);
    },
  };
}

type Counts = Readonly<Record<'keys' | 'clients' | 'orders' | 'webhooks', number>>;

function listSteps({ keys, clients, orders, webhooks }: Counts): readonly OnboardingStep[] {
  return [
    {
      title: texts.createApiKey,
      reason: texts.yourStorefrontSignsItsRequestsWith,
      to: '/keys',
      isDone: keys > 0,
    },
    {
      title: texts.addClient,
      reason: texts.administratorApprovesThemBeforeTheyOrder,
      to: '/clients',
      isDone: clients > 0,
    },
    {
      title: texts.placeFirstOrder,
      reason: texts.fromYourStorefrontOrHereBy,
      to: '/explorer',
      search: { operation: 'createOrder' },
      isDone: orders > 0,
    },
    {
      title: texts.addWebhook,
      reason: texts.itTellsYourStorefrontOfEach,
      to: '/webhooks',
      isDone: webhooks > 0,
    },
  ];
}
