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
import { texts } from '../../texts/clients.ts';

/** The check of the client's identity, and the link that leads to it. */
export function KycPanel({ client }: { readonly client: Client }) {
  const queryClient = useQueryClient();
  const renew = useSingleMutation({
    mutationFn: () => getKeyfront().clients.createKycLink(client.id),
    onSuccess: async () => {
      showSuccess(texts.thereIsNewLinkOldOne);
      await queryClient.invalidateQueries({ queryKey: ['clients', 'one', client.id] });
    },
    onError: (error) => showFailure(texts.noLinkWasMade, error),
  });
  const isVerified = client.kycStatus === 'VERIFIED';
  return (
    <Panel title={texts.identity} aside={<StatusBadge state={client.kycStatus} />}>
      <Stack>
        {isVerified ? (
          <Text size="sm" c="dimmed">
            {client.kycVerifiedAt ? (
              <>
                {texts.verifiedOn}
                <Moment time={client.kycVerifiedAt} />
              </>
            ) : (
              texts.clientHasProvedWhoTheyAre
            )}
          </Text>
        ) : (
          <Text size="sm" c="dimmed">
            {client.kycLink ? texts.sendThisLinkToClientIt : texts.operatorOfThisServiceHasSet}
          </Text>
        )}
        {!isVerified && (
          <Group gap={8}>
            {client.kycLink && <CopyTextButton value={client.kycLink} label={texts.copyLink} />}
            <Button
              variant="default"
              size="compact-xs"
              loading={renew.isPending}
              onClick={() => renew.mutate()}
            >
              {texts.newLink}
            </Button>
          </Group>
        )}
      </Stack>
    </Panel>
  );
}
