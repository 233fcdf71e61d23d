import type { Webhook, WebhookChange } from '@keyfront/sdk';
import { TextInput } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { ErrorNotice } from '../../components/error-notice.tsx';
import { FormDrawer } from '../../components/form-drawer.tsx';
import { readList } from '../../components/form-fields.ts';
import { TagsField } from '../../components/tags-field.tsx';
import { showSuccess } from '../../components/toasts.tsx';
import { useSingleMutation } from '../../components/use-single-mutation.ts';
import { changedFields } from '../../format/changed-fields.ts';
import { issuesByField } from '../../format/issues-by-field.ts';
import { clearDraft } from '../../session/drafts.ts';
import { getKeyfront } from '../../session/keyfront.ts';
import { texts } from '../../texts/webhooks.ts';

interface WebhookFormDrawerProps {
  readonly isOpen: boolean;
  readonly onClose: () => void;
  /** The webhook to change. Without it, one is added. */
  readonly webhook?: Webhook;
  /** Called with the secret of a new webhook. */
  readonly onCreated?: (secret: string) => void;
}

const suggestedTypes = ['order.*', 'payment.*', 'client.*', 'sale.*', 'strain.*', 'nft_sale.*', 'key.*'];

export const webhookDraft = (webhook?: Webhook) => `webhook.${webhook?.id ?? 'new'}`;

/** Adds a webhook, or changes where it sends what. */
export function WebhookFormDrawer({ isOpen, onClose, webhook, onCreated }: WebhookFormDrawerProps) {
  const queryClient = useQueryClient();
  const draft = webhookDraft(webhook);
  const save = useSingleMutation({
    mutationFn: async (form: FormData) => {
      const text = (name: string) => String(form.get(name) ?? '').trim();
      const eventTypes = readList(form, 'eventTypes');
      const fields = { url: text('url'), eventTypes, description: text('description') || null };
      if (!webhook) return (await getKeyfront().webhooks.create(fields)).secret;
      const change = changedFields<WebhookChange>(webhook, fields);
      if (Object.keys(change).length > 0) await getKeyfront().webhooks.update(webhook.id, change);
      return null;
    },
    onSuccess: async (secret) => {
      clearDraft(draft);
      onClose();
      if (secret === null) showSuccess(texts.webhookIsChanged);
      else onCreated?.(secret);
      await queryClient.invalidateQueries({ queryKey: ['webhooks'] });
    },
  });
  const { byField, hasOthers } = issuesByField(save.error, ['url', 'eventTypes', 'description']);
  return (
    <FormDrawer
      title={webhook ? texts.editWebhook : texts.addWebhook}
      submitLabel={webhook ? texts.save : texts.addWebhookButton}
      draft={draft}
      isOpen={isOpen}
      isPending={save.isPending}
      onClose={onClose}
      onSubmit={save.mutate}
    >
      {save.error && hasOthers && (
        <ErrorNotice
          title={webhook ? texts.webhookWasNotChanged : texts.webhookWasNotAdded}
          error={save.error}
        />
      )}
      <TextInput
        name="url"
        label={texts.address}
        placeholder={texts.httpsShopExampleHooksKeyfront}
        required
        defaultValue={webhook?.url}
        error={byField.get('url')}
      />
      <TagsField
        name="eventTypes"
        label={texts.events}
        description={texts.typesOrAllOfSubjectAs}
        data={suggestedTypes}
        initial={webhook?.eventTypes ?? ['order.*', 'payment.*']}
        error={byField.get('eventTypes')}
      />
      <TextInput
        name="description"
        label={texts.description}
        maxLength={200}
        defaultValue={webhook?.description ?? ''}
        error={byField.get('description')}
      />
    </FormDrawer>
  );
}
