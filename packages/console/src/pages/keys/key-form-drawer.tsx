import { Radio, Stack, TagsInput, TextInput } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { ErrorNotice } from '../../components/error-notice.tsx';
import { FormDrawer } from '../../components/form-drawer.tsx';
import { useSingleMutation } from '../../components/use-single-mutation.ts';
import { issuesByField } from '../../format/issues-by-field.ts';
import { allScopes } from './all-scopes.ts';
import { createKey } from './create-key.ts';
import type { NewSecret } from './secret-modal.tsx';

interface KeyFormDrawerProps {
  readonly isOpen: boolean;
  readonly onClose: () => void;
  readonly onCreated: (secret: NewSecret) => void;
}

/** Creates an API key, with what it may do. */
export function KeyFormDrawer({ isOpen, onClose, onCreated }: KeyFormDrawerProps) {
  const queryClient = useQueryClient();
  const [scopes, setScopes] = useState<string[]>([]);
  const [networks, setNetworks] = useState<string[]>([]);
  const create = useSingleMutation({
    mutationFn: (form: FormData) => {
      const expiry = String(form.get('expiresAt') ?? '');
      return createKey(String(form.get('keyName') ?? '').trim(), {
        signatures: form.get('signatures') === 'bound' ? 'bound' : 'any',
        ...(scopes.length > 0 ? { scopes } : {}),
        ...(networks.length > 0 ? { allowedNetworks: networks } : {}),
        // The end of that day, in the visitor's zone.
        ...(expiry ? { expiresAt: new Date(`${expiry}T23:59:59`).toISOString() } : {}),
      });
    },
    onSuccess: async (secret) => {
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
      <TagsInput
        label="Scopes"
        description="What the key may do. Empty: everything."
        placeholder={scopes.length === 0 ? 'orders:read' : ''}
        data={[...allScopes]}
        value={scopes}
        onChange={setScopes}
        error={byField.get('scopes')}
      />
      <TagsInput
        label="Networks"
        description="Where requests may come from. Empty: anywhere."
        placeholder={networks.length === 0 ? '203.0.113.0/24' : ''}
        value={networks}
        onChange={setNetworks}
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
