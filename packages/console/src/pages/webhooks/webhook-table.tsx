import type { Webhook } from '@keyfront/sdk';
import { Anchor } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { type Column, DataTable } from '../../components/data-table.tsx';
import { Moment } from '../../components/moment.tsx';
import { StatusBadge } from '../../components/status-badge.tsx';
import { texts } from '../../texts/webhooks.ts';

const columns: readonly Column<Webhook>[] = [
  {
    title: texts.address,
    render: ({ id, url }) => (
      <Anchor component={Link} to={`/webhooks/${id}`} fw={600} size="sm">
        {url}
      </Anchor>
    ),
  },
  { title: texts.state, render: (webhook) => <WebhookState webhook={webhook} /> },
  { title: texts.events, render: ({ eventTypes }) => eventTypes.join(', '), hiddenBelow: 'narrow' },
  { title: texts.description, render: ({ description }) => <bdi>{description}</bdi>, hiddenBelow: 'medium' },
  { title: texts.added, render: ({ createdAt }) => <Moment time={createdAt} />, hiddenBelow: 'medium' },
];

/** Webhooks, one per row. */
export function WebhookTable({ webhooks }: { readonly webhooks: readonly Webhook[] | undefined }) {
  return (
    <DataTable
      caption={texts.webhooks}
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
  if (failingSince) return <StatusBadge state="FAILED" label={texts.failing} />;
  return <StatusBadge state="ACTIVE" />;
}

const disabledLabels = {
  HOLDER: texts.disabled,
  GONE: texts.disabledReceiverIsGone,
  FAILING: texts.disabledItKeptFailing,
} as const;
