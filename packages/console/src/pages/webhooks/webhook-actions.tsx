import type { Webhook } from '@keyfront/sdk';
import { Button, Group, Menu, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { Icon } from '../../components/icon.tsx';
import { Modal } from '../../components/modal.tsx';
import { showFailure, showSuccess } from '../../components/toasts.tsx';
import { useSingleMutation } from '../../components/use-single-mutation.ts';
import { readDraft } from '../../session/drafts.ts';
import { getKeyfront } from '../../session/keyfront.ts';
import { texts } from '../../texts/webhooks.ts';
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
    onSuccess: () => showSuccess(texts.testIsOnItsWay),
    onError: (error) => showFailure(texts.noTestWasSent, error),
    onSettled,
  });
  const toggle = useSingleMutation({
    mutationFn: () => getKeyfront().webhooks.update(webhook.id, { isEnabled: !webhook.isEnabled }),
    onSuccess: ({ isEnabled }) =>
      showSuccess(isEnabled ? texts.eventsAreSentAgainReplayThose : texts.noEventsAreSentAnyMore),
    onError: (error) => showFailure(texts.webhookWasNotChanged, error),
    onSettled,
  });
  const rotate = useSingleMutation({
    mutationFn: () => getKeyfront().webhooks.rotateSecret(webhook.id),
    onSuccess: (rotated) => setSecret(rotated.secret),
    onError: (error) => showFailure(texts.thereIsNoNewSecret, error),
  });
  const remove = useSingleMutation({
    mutationFn: () => getKeyfront().webhooks.delete(webhook.id),
    onSuccess: async () => {
      showSuccess(texts.webhookIsDeleted);
      await navigate({ to: '/webhooks' });
      await queryClient.invalidateQueries({ queryKey: ['webhooks', 'list'] });
    },
    onError: (error) => showFailure(texts.webhookWasNotDeleted, error),
  });
  return (
    <>
      <Button variant="default" leftSection={<Icon name="edit" size={16} />} onClick={() => setOpen('edit')}>
        {texts.edit}
      </Button>
      {/* The service sends nothing to a webhook that is disabled. */}
      {webhook.isEnabled && (
        <>
          <Button variant="default" loading={test.isPending} onClick={() => test.mutate()}>
            {texts.sendTest}
          </Button>
          <Button variant="default" onClick={() => setOpen('replay')}>
            {texts.replay}
          </Button>
        </>
      )}
      <Menu position="bottom-end">
        <Menu.Target>
          <Button variant="default" loading={toggle.isPending || rotate.isPending}>
            {texts.more}
          </Button>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item onClick={() => toggle.mutate()}>
            {webhook.isEnabled ? texts.disable : texts.enable}
          </Menu.Item>
          <Menu.Item onClick={() => rotate.mutate()}>{texts.newSecret}</Menu.Item>
          <Menu.Item onClick={asking.open}>{texts.delete}</Menu.Item>
        </Menu.Dropdown>
      </Menu>
      {open === 'edit' && <WebhookFormDrawer isOpen webhook={webhook} onClose={close} />}
      {open === 'replay' && <ReplayModal webhook={webhook} onClose={close} />}
      <Modal opened={isAsking} onClose={asking.close} title={texts.deleteThisWebhook}>
        <Text size="sm">{texts.deliveriesThatWaitAreDroppedEvents}</Text>
        <Group justify="flex-end" mt="lg">
          <Button variant="default" onClick={asking.close}>
            {texts.keepIt}
          </Button>
          <Button color="red.8" loading={remove.isPending} onClick={() => remove.mutate()}>
            {texts.delete}
          </Button>
        </Group>
      </Modal>
      {secret && <WebhookSecretModal secret={secret} onClose={() => setSecret(null)} />}
    </>
  );
}
