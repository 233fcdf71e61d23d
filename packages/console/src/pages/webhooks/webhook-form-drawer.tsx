import type { NewWebhook } from '@keyfront/sdk';
import { TagsInput, TextInput } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { ErrorNotice } from '../../components/error-notice.tsx';
import { FormDrawer } from '../../components/form-drawer.tsx';
import { useSingleMutation } from '../../components/use-single-mutation.ts';
import { issuesByField } from '../../format/issues-by-field.ts';
import { getKeyfront } from '../../session/keyfront.ts';

interface WebhookFormDrawerProps {
  readonly isOpen: boolean;
  readonly onClose: () => void;
  /** Called with the secret of the new webhook. */
  readonly onCreated: (secret: string) => void;
}

const suggestedTypes = ['order.*', 'payment.*', 'client.*', 'sale.*', 'strain.*', 'nft_sale.*', 'key.*'];

/** Adds a webhook. */
export function WebhookFormDrawer({ isOpen, onClose, onCreated }: WebhookFormDrawerProps) {
  const queryClient = useQueryClient();
  const [eventTypes, setEventTypes] = useState<string[]>(['order.*', 'payment.*']);
  const create = useSingleMutation({
    mutationFn: (fields: NewWebhook) => getKeyfront().webhooks.create(fields),
    onSuccess: async ({ secret }) => {
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
      eventTypes,
      ...(description ? { description } : {}),
    });
  };
  return (
    <FormDrawer
      title="Add a webhook"
      submitLabel="Add webhook"
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
      <TagsInput
        label="Events"
        description="Types, or all of a subject as order.*"
        data={suggestedTypes}
        value={eventTypes}
        onChange={setEventTypes}
        error={byField.get('eventTypes')}
      />
      <TextInput name="description" label="Description" error={byField.get('description')} />
    </FormDrawer>
  );
}
