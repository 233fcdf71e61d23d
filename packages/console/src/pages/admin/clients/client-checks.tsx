import type { AdminClient, AdminClientChange } from '@keyfront/sdk';
import { Stack, Switch } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { ConfirmModal } from '../../../components/confirm-modal.tsx';
import { Moment } from '../../../components/moment.tsx';
import { Panel } from '../../../components/panel.tsx';
import { StatusBadge } from '../../../components/status-badge.tsx';
import { showFailure, showSuccess, showUndo } from '../../../components/toasts.tsx';
import { useSingleMutation } from '../../../components/use-single-mutation.ts';
import { fullName } from '../../../format/full-name.ts';
import { getKeyfront } from '../../../session/keyfront.ts';
import { texts } from '../../../texts/admin-clients.ts';

/** Whether the client has proved who they are, and may order. */
export function ClientChecks({ client }: { readonly client: AdminClient }) {
  const queryClient = useQueryClient();
  const [isAsking, setAsking] = useState(false);
  const name = fullName(client);
  const change = useSingleMutation({
    mutationFn: (fields: AdminClientChange) => getKeyfront().admin.clients.update(client.id, fields),
    onSuccess: (_client, fields) => {
      const [title, earlier] = describeChange(name, fields);
      const about = `${client.id} ${Object.keys(fields).join()}`;
      // What is taken back is not offered to be taken back again.
      if (earlier) showUndo(title, () => undo.mutate(earlier), about);
      else showSuccess(title, about);
    },
    onError: (error) => showFailure(texts.nameWasNotChanged(name), error),
    onSettled: () => queryClient.invalidateQueries({ queryKey: ['admin'] }),
  });
  const undo = useSingleMutation({
    mutationFn: (fields: AdminClientChange) => getKeyfront().admin.clients.update(client.id, fields),
    onError: (error) => showFailure(texts.nameWasNotChangedBack(name), error),
    onSettled: () => queryClient.invalidateQueries({ queryKey: ['admin'] }),
  });
  // Shown at once. When the client is loaded again, it says what the service has made of it.
  const { isActive, isKYCVerified } = { ...client, ...(change.isPending ? change.variables : {}) };
  return (
    <Panel title={texts.identity} aside={<StatusBadge state={client.kycStatus} />}>
      <Stack gap="sm">
        <Switch
          size="sm"
          label={texts.identityVerified}
          description={
            client.kycVerifiedAt && (
              <>
                {texts.since}
                <Moment time={client.kycVerifiedAt} />
              </>
            )
          }
          checked={isKYCVerified}
          onChange={({ currentTarget }) => {
            if (currentTarget.checked) change.mutate({ isKYCVerified: true });
            else setAsking(true);
          }}
        />
        <Switch
          size="sm"
          label={texts.active}
          description={texts.inactiveClientCannotOrder}
          checked={isActive}
          onChange={({ currentTarget }) => change.mutate({ isActive: currentTarget.checked })}
        />
      </Stack>
      {isAsking && (
        <ConfirmModal
          title={texts.withdrawIdentityCheckOfName(name)}
          confirmLabel={texts.withdrawCheck}
          onClose={() => setAsking(false)}
          onConfirm={() => change.mutate({ isKYCVerified: false })}
        >
          {texts.whenAndByWhomTheyWere}
        </ConfirmModal>
      )}
    </Panel>
  );
}

/** What a change has done, and the change that takes it back. Null for a check that was withdrawn: its time is gone. */
function describeChange(name: string, fields: AdminClientChange): [string, AdminClientChange | null] {
  if (fields.isActive !== undefined) {
    return [`${name} is ${fields.isActive ? 'active' : 'inactive'}`, { isActive: !fields.isActive }];
  }
  if (fields.isKYCVerified) return [texts.identityOfNameIsVerified(name), { isKYCVerified: false }];
  return [texts.identityCheckOfNameIsWithdrawn(name), null];
}
