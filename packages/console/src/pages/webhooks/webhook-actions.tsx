import type { Webhook } from '@keyfront/sdk';
import { Button, Group, Menu, Modal, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { Icon } from '../../components/icon.tsx';
import { showFailure, showSuccess } from '../../components/toasts.tsx';
import { useSingleMutation } from '../../components/use-single-mutation.ts';
import { readDraft } from '../../session/drafts.ts';
import { getKeyfront } from '../../session/keyfront.ts';
import { ReplayModal } from './replay-modal.tsx';
import { WebhookFormDrawer, webhookDraft } from './webhook-form-drawer.tsx';
import { WebhookSecretModal } from './webhook-secret-modal.tsx';

/** Edits, tests, replays, disables, gives a new secret, and deletes. */
export function WebhookActions({ webhook }: { readonly webhook: Webhook }) {
  const [open, setOpen] = useState<'edit' | 'replay' | null>(readDraft(webhookDraft(webhook)) && 'edit');
  const close = () => setOpen(null);
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
    onSuccess: ({ isEnabled }) =>
      showSuccess(
        isEnabled ? 'Events are sent again. Replay those in between' : 'No events are sent any more',
      ),
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
      <Button variant="default" leftSection={<Icon name="edit" size={16} />} onClick={() => setOpen('edit')}>
        Edit
      </Button>
      {/* The service sends nothing to a webhook that is disabled. */}
      {webhook.isEnabled && (
        <>
          <Button variant="default" loading={test.isPending} onClick={() => test.mutate()}>
            Send a test
          </Button>
          <Button variant="default" onClick={() => setOpen('replay')}>
            Replay
          </Button>
        </>
      )}
      <Menu position="bottom-end">
        <Menu.Target>
          <Button variant="default" loading={toggle.isPending || rotate.isPending}>
            More
          </Button>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item onClick={() => toggle.mutate()}>{webhook.isEnabled ? 'Disable' : 'Enable'}</Menu.Item>
          <Menu.Item onClick={() => rotate.mutate()}>New secret</Menu.Item>
          <Menu.Item onClick={asking.open}>Delete</Menu.Item>
        </Menu.Dropdown>
      </Menu>
      {open === 'edit' && <WebhookFormDrawer isOpen webhook={webhook} onClose={close} />}
      {open === 'replay' && <ReplayModal webhook={webhook} onClose={close} />}
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
