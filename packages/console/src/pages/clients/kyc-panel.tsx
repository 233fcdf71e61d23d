import type { Client } from '@keyfront/sdk';
import { Button, Group, Stack, Text } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { CopyTextButton } from '../../components/copy-button.tsx';
import { Moment } from '../../components/moment.tsx';
import { Panel } from '../../components/panel.tsx';
import { StatusBadge } from '../../components/status-badge.tsx';
import { showFailure, showSuccess } from '../../components/toasts.tsx';
import { useSingleMutation } from '../../components/use-single-mutation.ts';
import { getKeyfront } from '../../session/keyfront.ts';

/** The check of the client's identity, and the link that leads to it. */
export function KycPanel({ client }: { readonly client: Client }) {
  const queryClient = useQueryClient();
  const renew = useSingleMutation({
    mutationFn: () => getKeyfront().clients.createKycLink(client.id),
    onSuccess: async () => {
      showSuccess('There is a new link. The old one no longer works');
      await queryClient.invalidateQueries({ queryKey: ['clients', 'one', client.id] });
    },
    onError: (error) => showFailure('No link was made', error),
  });
  const isVerified = client.kycStatus === 'VERIFIED';
  return (
    <Panel title="Identity" aside={<StatusBadge state={client.kycStatus} />}>
      <Stack>
        {isVerified ? (
          <Text size="sm" c="dimmed">
            {client.kycVerifiedAt ? (
              <>
                Verified on <Moment time={client.kycVerifiedAt} />
              </>
            ) : (
              'The client has proved who they are.'
            )}
          </Text>
        ) : (
          <Text size="sm" c="dimmed">
            {client.kycLink
              ? 'Send this link to the client. It leads to the identity provider.'
              : 'The operator of this service has set up no identity provider, or this client has no link yet.'}
          </Text>
        )}
        {!isVerified && (
          <Group gap={8}>
            {client.kycLink && <CopyTextButton value={client.kycLink} label="Copy link" />}
            <Button
              variant="default"
              size="compact-xs"
              loading={renew.isPending}
              onClick={() => renew.mutate()}
            >
              New link
            </Button>
          </Group>
        )}
      </Stack>
    </Panel>
  );
}
