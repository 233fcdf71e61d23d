import { Radio, Stack, TextInput } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { ErrorNotice } from '../../components/error-notice.tsx';
import { FormDrawer } from '../../components/form-drawer.tsx';
import { TagsField } from '../../components/tags-field.tsx';
import { useSingleMutation } from '../../components/use-single-mutation.ts';
import { issuesByField } from '../../format/issues-by-field.ts';
import { clearDraft } from '../../session/drafts.ts';
import { allScopes } from './all-scopes.ts';
import { createKey } from './create-key.ts';
import type { NewSecret } from './secret-modal.tsx';

interface KeyFormDrawerProps {
  readonly isOpen: boolean;
  readonly onClose: () => void;
  readonly onCreated: (secret: NewSecret) => void;
}

/** The form has no secret: the key pair is made when it is sent. */
export const keyDraft = 'key.new';

/** Creates an API key, with what it may do. */
export function KeyFormDrawer({ isOpen, onClose, onCreated }: KeyFormDrawerProps) {
  const queryClient = useQueryClient();
  const create = useSingleMutation({
    mutationFn: (form: FormData) => {
      const expiry = String(form.get('expiresAt') ?? '');
      const list = (name: string) =>
        String(form.get(name) ?? '')
          .split(',')
          .filter(Boolean);
      const scopes = list('scopes');
      const networks = list('allowedNetworks');
      return createKey(String(form.get('keyName') ?? '').trim(), {
        signatures: form.get('signatures') === 'bound' ? 'bound' : 'any',
        ...(scopes.length > 0 ? { scopes } : {}),
        ...(networks.length > 0 ? { allowedNetworks: networks } : {}),
        // The end of that day, in the visitor's zone.
        ...(expiry ? { expiresAt: new Date(`${expiry}T23:59:59`).toISOString() } : {}),
      });
    },
    onSuccess: async (secret) => {
      clearDraft(keyDraft);
      onClose();
      onCreated(secret);
      await queryClient.invalidateQueries({ queryKey: ['keys'] });
    },
  });
  const { byField } = issuesByField(create.error, ['keyName', 'scopes', 'allowedNetworks', 'expiresAt']);
  return (
    <FormDrawer
      title="Create an API key"
      submitLabel="Create key"
      draft={keyDraft}
      isOpen={isOpen}
      isPending={create.isPending}
      onClose={onClose}
      onSubmit={create.mutate}
    >
      {create.error && <ErrorNotice title="The key was not created" error={create.error} />}
      <TextInput
        name="keyName"
        label="Name"
        placeholder="My storefront"
        required
        maxLength={100}
        error={byField.get('keyName')}
      />
      <TagsField
        name="scopes"
        label="Scopes"
        description="What the key may do. Empty: everything."
        placeholder="orders:read"
        data={[...allScopes]}
        error={byField.get('scopes')}
      />
      <TagsField
        name="allowedNetworks"
        label="Networks"
        description="Where requests may come from. Empty: anywhere."
        placeholder="203.0.113.0/24"
        error={byField.get('allowedNetworks')}
      />
      <TextInput name="expiresAt" type="date" label="Valid until" error={byField.get('expiresAt')} />
      <Radio.Group name="signatures" label="Signatures" defaultValue="any">
        <Stack gap={8} mt={6}>
          <Radio value="any" label="Any" description="Simple ones and bound ones." />
          <Radio
            value="bound"
            label="Bound only"
            description="Each covers method, address, body and time, so that none can be used for another request."
          />
        </Stack>
      </Radio.Group>
    </FormDrawer>
  );
}
