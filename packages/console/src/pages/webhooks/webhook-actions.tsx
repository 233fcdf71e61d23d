import type { Webhook } from '@keyfront/sdk';
import { Button, Group, Modal, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { showFailure, showSuccess } from '../../components/toasts.tsx';
import { useSingleMutation } from '../../components/use-single-mutation.ts';
import { getKeyfront } from '../../session/keyfront.ts';
import { WebhookSecretModal } from './webhook-secret-modal.tsx';

/** Sends a test, disables, gives a new secret, and deletes. */
export function WebhookActions({ webhook }: { readonly webhook: Webhook }) {
  const [isAsking, asking] = useDisclosure();
  const [secret, setSecret] = useState<string | null>(null);
  const queryClient = useQueryClient();
  const navigate = useNavigate();
  const onSettled = () => queryClient.invalidateQueries({ queryKey: ['webhooks'] });
  const test = useSingleMutation({
    mutationFn: () => getKeyfront().webhooks.test(webhook.id),
    onSuccess: () => showSuccess('A test is on its way'),
    onError: (error) => showFailure('No test was sent', error),
    onSettled,
  });
  const toggle = useSingleMutation({
    mutationFn: () => getKeyfront().webhooks.update(webhook.id, { isEnabled: !webhook.isEnabled }),
    onError: (error) => showFailure('The webhook was not changed', error),
    onSettled,
  });
  const rotate = useSingleMutation({
    mutationFn: () => getKeyfront().webhooks.rotateSecret(webhook.id),
    onSuccess: (rotated) => setSecret(rotated.secret),
    onError: (error) => showFailure('There is no new secret', error),
  });
  const remove = useSingleMutation({
    mutationFn: () => getKeyfront().webhooks.delete(webhook.id),
    onSuccess: async () => {
      showSuccess('The webhook is deleted');
      await navigate({ to: '/webhooks' });
      await queryClient.invalidateQueries({ queryKey: ['webhooks', 'list'] });
    },
    onError: (error) => showFailure('The webhook was not deleted', error),
  });
  return (
    <>
      <Button variant="default" loading={test.isPending} onClick={() => test.mutate()}>
        Send a test
      </Button>
      <Button variant="default" loading={toggle.isPending} onClick={() => toggle.mutate()}>
        {webhook.isEnabled ? 'Disable' : 'Enable'}
      </Button>
      <Button variant="default" loading={rotate.isPending} onClick={() => rotate.mutate()}>
        New secret
      </Button>
      <Button variant="default" onClick={asking.open}>
        Delete
      </Button>
      <Modal opened={isAsking} onClose={asking.close} title="Delete this webhook?">
        <Text size="sm">
          Deliveries that wait are dropped. Events can still be read from the list of events.
        </Text>
        <Group justify="flex-end" mt="lg">
          <Button variant="default" onClick={asking.close}>
            Keep it
          </Button>
          <Button color="red.8" loading={remove.isPending} onClick={() => remove.mutate()}>
            Delete
          </Button>
        </Group>
      </Modal>
      {secret && <WebhookSecretModal secret={secret} onClose={() => setSecret(null)} />}
    </>
  );
}
