import type { WebhookDelivery } from '@keyfront/sdk';
import { Button } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { showFailure, showSuccess } from '../../components/toasts.tsx';
import { useSingleMutation } from '../../components/use-single-mutation.ts';
import { getKeyfront } from '../../session/keyfront.ts';
import { texts } from '../../texts/webhooks.ts';

/** Sends one event again. */
export function RetryButton({ delivery }: { readonly delivery: WebhookDelivery }) {
  const queryClient = useQueryClient();
  const retry = useSingleMutation({
    mutationFn: () => getKeyfront().webhooks.retryDelivery(delivery.webhookId, delivery.id),
    onSuccess: () => showSuccess(texts.eventTypeIsOnItsWay(delivery.eventType)),
    onError: (error) => showFailure(texts.deliveryWasNotRepeated, error),
    onSettled: () => queryClient.invalidateQueries({ queryKey: ['webhooks', 'deliveries'] }),
  });
  return (
    <Button
      variant="default"
      size="compact-sm"
      loading={retry.isPending}
      aria-label={texts.sendAgainEventType(delivery.eventType)}
      onClick={() => retry.mutate()}
    >
      {texts.sendAgain}
    </Button>
  );
}
