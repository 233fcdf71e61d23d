import type { AdminHolderKey } from '@keyfront/sdk';
import { type Column, DataTable } from '../../../components/data-table.tsx';
import { KeyName } from '../../../components/key-name.tsx';
import { Moment } from '../../../components/moment.tsx';
import { StatusBadge } from '../../../components/status-badge.tsx';
import { texts } from '../../../texts/admin-holders.ts';

const columns: readonly Column<AdminHolderKey>[] = [
  {
    title: texts.name,
    render: ({ keyName, tokenId }) => <KeyName keyName={keyName} tokenId={tokenId} />,
  },
  { title: texts.state, render: ({ state }) => <StatusBadge state={state} /> },
  {
    title: texts.lastUsed,
    render: ({ lastUsedAt }) => (lastUsedAt ? <Moment time={lastUsedAt} isRelative /> : texts.never),
  },
  {
    title: texts.validUntil,
    render: ({ expiresAt }) => (expiresAt ? <Moment time={expiresAt} /> : texts.noEnd),
    hiddenBelow: 'medium',
  },
  { title: texts.created, render: ({ createdAt }) => <Moment time={createdAt} />, hiddenBelow: 'narrow' },
];

/** The API keys of a holder, one per row. */
export function HolderKeyTable({ keys }: { readonly keys: readonly AdminHolderKey[] }) {
  return <DataTable caption={texts.apiKeys} columns={columns} rows={keys} keyOf={({ id }) => id} />;
}
