import type { AdminClient, AdminClientChange } from '@keyfront/sdk';
import { Switch, Text } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { Moment } from '../../../components/moment.tsx';
import { StatusBadge } from '../../../components/status-badge.tsx';
import { showFailure } from '../../../components/toasts.tsx';
import { nameCountry } from '../../../format/countries.ts';
import { fullName } from '../../../format/full-name.ts';
import { approvalNames } from '../../../format/state-names.ts';
import { getKeyfront } from '../../../session/keyfront.ts';
import classes from '../orders/order-summary.module.css';

/** A client in the queue. */
export function ClientSummaryRow({ client }: { readonly client: AdminClient }) {
  const queryClient = useQueryClient();
  const change = useMutation({
    mutationFn: (fields: AdminClientChange) => getKeyfront().admin.clients.update(client.id, fields),
    onError: (error) => showFailure(`${fullName(client)} was not changed`, error),
    onSettled: () => queryClient.invalidateQueries({ queryKey: ['admin'] }),
  });
  // Shown at once. When the list is loaded again, it says what the service has made of it.
  const { isActive, isKYCVerified } = { ...client, ...(change.isPending ? change.variables : {}) };
  return (
    <div className={classes.order}>
      <div className={classes.words}>
        <Text size="sm" fw={600} truncate>
          <bdi>{fullName(client)}</bdi>
        </Text>
        <Text size="xs" c="dimmed" truncate>
          {client.email} · #{client.nft.tokenId} ·{' '}
          {client.shipping.country || nameCountry(client.shipping.countryCode) || 'no address'} ·{' '}
          <Moment time={client.createdAt} isRelative />
        </Text>
        {client.rejectionNote && (
          <Text size="xs" c="dimmed" truncate>
            Note: <bdi>{client.rejectionNote}</bdi>
          </Text>
        )}
      </div>
      <div className={classes.switches}>
        <Switch
          size="xs"
          label="Identity verified"
          checked={isKYCVerified}
          onChange={({ currentTarget }) => change.mutate({ isKYCVerified: currentTarget.checked })}
        />
        <Switch
          size="xs"
          label="Active"
          checked={isActive}
          onChange={({ currentTarget }) => change.mutate({ isActive: currentTarget.checked })}
        />
      </div>
      <span className={classes.amount}>
        <StatusBadge state={client.adminApproval} label={approvalNames[client.adminApproval]} />
      </span>
    </div>
  );
}
