import type { NewWebhook } from '@keyfront/sdk';
import { TextInput } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { ErrorNotice } from '../../components/error-notice.tsx';
import { FormDrawer } from '../../components/form-drawer.tsx';
import { TagsField } from '../../components/tags-field.tsx';
import { useSingleMutation } from '../../components/use-single-mutation.ts';
import { issuesByField } from '../../format/issues-by-field.ts';
import { clearDraft } from '../../session/drafts.ts';
import { getKeyfront } from '../../session/keyfront.ts';

interface WebhookFormDrawerProps {
  readonly isOpen: boolean;
  readonly onClose: () => void;
  /** Called with the secret of the new webhook. */
  readonly onCreated: (secret: string) => void;
}

const suggestedTypes = ['order.*', 'payment.*', 'client.*', 'sale.*', 'strain.*', 'nft_sale.*', 'key.*'];

export const webhookDraft = 'webhook.new';

/** Adds a webhook. */
export function WebhookFormDrawer({ isOpen, onClose, onCreated }: WebhookFormDrawerProps) {
  const queryClient = useQueryClient();
  const create = useSingleMutation({
    mutationFn: (fields: NewWebhook) => getKeyfront().webhooks.create(fields),
    onSuccess: async ({ secret }) => {
      clearDraft(webhookDraft);
      onClose();
      onCreated(secret);
      await queryClient.invalidateQueries({ queryKey: ['webhooks'] });
    },
  });
  const { byField, hasOthers } = issuesByField(create.error, ['url', 'eventTypes', 'description']);
  const onSubmit = (form: FormData) => {
    const description = String(form.get('description') ?? '').trim();
    create.mutate({
      url: String(form.get('url') ?? '').trim(),
      eventTypes: String(form.get('eventTypes') ?? '')
        .split(',')
        .filter(Boolean),
      ...(description ? { description } : {}),
    });
  };
  return (
    <FormDrawer
      title="Add a webhook"
      submitLabel="Add webhook"
      draft={webhookDraft}
      isOpen={isOpen}
      isPending={create.isPending}
      onClose={onClose}
      onSubmit={onSubmit}
    >
      {create.error && hasOthers && <ErrorNotice title="The webhook was not added" error={create.error} />}
      <TextInput
        name="url"
        label="Address"
        placeholder="https://shop.example/hooks/keyfront"
        required
        error={byField.get('url')}
      />
      <TagsField
        name="eventTypes"
        label="Events"
        description="Types, or all of a subject as order.*"
        data={suggestedTypes}
        initial={['order.*', 'payment.*']}
        error={byField.get('eventTypes')}
      />
      <TextInput name="description" label="Description" error={byField.get('description')} />
    </FormDrawer>
  );
}
