import type { Webhook } from '@keyfront/sdk';
import { Anchor } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { type Column, DataTable } from '../../components/data-table.tsx';
import { Moment } from '../../components/moment.tsx';
import { StatusBadge } from '../../components/status-badge.tsx';

const columns: readonly Column<Webhook>[] = [
  {
    title: 'Address',
    render: ({ id, url }) => (
      <Anchor component={Link} to={`/webhooks/${id}`} fw={600} size="sm">
        {url}
      </Anchor>
    ),
  },
  { title: 'State', render: (webhook) => <WebhookState webhook={webhook} /> },
  { title: 'Events', render: ({ eventTypes }) => eventTypes.join(', '), hiddenBelow: 'narrow' },
  { title: 'Description', render: ({ description }) => <bdi>{description}</bdi>, hiddenBelow: 'medium' },
  { title: 'Added', render: ({ createdAt }) => <Moment time={createdAt} />, hiddenBelow: 'medium' },
];

/** Webhooks, one per row. */
export function WebhookTable({ webhooks }: { readonly webhooks: readonly Webhook[] | undefined }) {
  return (
    <DataTable
      caption="Webhooks"
      columns={columns}
      rows={webhooks}
      keyOf={({ id }) => id}
      skeletonRows={3}
      isLinked
    />
  );
}

/** Whether events are sent, and why not. */
export function WebhookState({ webhook }: { readonly webhook: Webhook }) {
  const { isEnabled, disabledReason, failingSince } = webhook;
  if (!isEnabled) return <StatusBadge state="INACTIVE" label={disabledLabels[disabledReason ?? 'HOLDER']} />;
  if (failingSince) return <StatusBadge state="FAILED" label="Failing" />;
  return <StatusBadge state="ACTIVE" />;
}

const disabledLabels = {
  HOLDER: 'Disabled',
  GONE: 'Disabled: the receiver is gone',
  FAILING: 'Disabled: it kept failing',
} as const;
