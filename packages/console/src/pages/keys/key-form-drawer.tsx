import type { ApiKey, KeyChange } from '@keyfront/sdk';
import { Radio, Stack, Text, TextInput } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { ErrorNotice } from '../../components/error-notice.tsx';
import { FormDrawer } from '../../components/form-drawer.tsx';
import { TagsField } from '../../components/tags-field.tsx';
import { showSuccess } from '../../components/toasts.tsx';
import { useSingleMutation } from '../../components/use-single-mutation.ts';
import { changedFields } from '../../format/changed-fields.ts';
import { issuesByField } from '../../format/issues-by-field.ts';
import { clearDraft } from '../../session/drafts.ts';
import { getKeyfront } from '../../session/keyfront.ts';
import { texts } from '../../texts/keys.ts';
import { allScopes } from './all-scopes.ts';
import { createKey } from './create-key.ts';
import { lastDayOf, readKeyForm } from './read-key-form.ts';
import type { NewSecret } from './secret-modal.tsx';

interface KeyFormDrawerProps {
  readonly isOpen: boolean;
  readonly onClose: () => void;
  /** The key to change. Without it, one is created. */
  readonly apiKey?: ApiKey;
  readonly onCreated?: (secret: NewSecret) => void;
}

/** The form has no secret: the key pair is made when it is sent. */
export const keyDraft = (key?: ApiKey) => `key.${key?.id ?? 'new'}`;

/** Creates an API key with what it may do, or changes that. */
export function KeyFormDrawer({ isOpen, onClose, apiKey: key, onCreated }: KeyFormDrawerProps) {
  const queryClient = useQueryClient();
  const draft = keyDraft(key);
  const save = useSingleMutation({
    mutationFn: async (form: FormData) => {
      const { keyName, ...settings } = readKeyForm(form, key);
      if (!key) return createKey(keyName, settings);
      const change = changedFields<KeyChange>(key, { keyName, ...settings });
      if (Object.keys(change).length > 0) await getKeyfront().keys.update(key.id, change);
      return keyName;
    },
    onSuccess: async (saved) => {
      clearDraft(draft);
      onClose();
      if (typeof saved === 'string') showSuccess(texts.savedIsChanged(saved));
      else onCreated?.(saved);
      await queryClient.invalidateQueries({ queryKey: ['keys'] });
    },
  });
  const { byField } = issuesByField(save.error, ['keyName', 'scopes', 'allowedNetworks', 'expiresAt']);
  return (
    <FormDrawer
      title={key ? texts.editApiKey : texts.createApiKey}
      submitLabel={key ? texts.save : texts.createKey}
      draft={draft}
      isOpen={isOpen}
      isPending={save.isPending}
      onClose={onClose}
      onSubmit={save.mutate}
    >
      {save.error && (
        <ErrorNotice title={key ? texts.keyWasNotChanged : texts.keyWasNotCreated} error={save.error} />
      )}
      {key && <Text size="sm">{texts.programsThatSignWithThisKey}</Text>}
      <TextInput
        name="keyName"
        label={texts.name}
        placeholder={texts.myStorefront}
        required
        maxLength={100}
        defaultValue={key?.keyName}
        error={byField.get('keyName')}
      />
      <TagsField
        name="scopes"
        label={texts.scopes}
        description={texts.whatKeyMayDoEmptyEverything}
        placeholder={texts.ordersRead}
        initial={key?.scopes ?? []}
        data={[...allScopes]}
        error={byField.get('scopes')}
      />
      <TagsField
        name="allowedNetworks"
        label={texts.networks}
        description={texts.whereRequestsMayComeFromEmpty}
        placeholder="203.0.113.0/24"
        initial={key?.allowedNetworks ?? []}
        error={byField.get('allowedNetworks')}
      />
      <TextInput
        name="expiresAt"
        type="date"
        label={texts.validUntil}
        defaultValue={lastDayOf(key)}
        error={byField.get('expiresAt')}
      />
      <Radio.Group name="signatures" label={texts.signatures} defaultValue={key?.signatures ?? 'any'}>
        <Stack gap={8} mt={6}>
          <Radio value="any" label={texts.any} description={texts.simpleOnesAndBoundOnes} />
          <Radio value="bound" label={texts.boundOnly} description={texts.eachCoversMethodAddressBodyAnd} />
        </Stack>
      </Radio.Group>
    </FormDrawer>
  );
}
