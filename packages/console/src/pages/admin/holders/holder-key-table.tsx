import type { AdminHolderKey } from '@keyfront/sdk';
import { type Column, DataTable } from '../../../components/data-table.tsx';
import { KeyName } from '../../../components/key-name.tsx';
import { Moment } from '../../../components/moment.tsx';
import { StatusBadge } from '../../../components/status-badge.tsx';

const columns: readonly Column<AdminHolderKey>[] = [
  {
    title: 'Name',
    render: ({ keyName, tokenId }) => <KeyName keyName={keyName} tokenId={tokenId} />,
  },
  { title: 'State', render: ({ state }) => <StatusBadge state={state} /> },
  {
    title: 'Last used',
    render: ({ lastUsedAt }) => (lastUsedAt ? <Moment time={lastUsedAt} isRelative /> : 'Never'),
  },
  {
    title: 'Valid until',
    render: ({ expiresAt }) => (expiresAt ? <Moment time={expiresAt} /> : 'No end'),
    hiddenBelow: 'medium',
  },
  { title: 'Created', render: ({ createdAt }) => <Moment time={createdAt} />, hiddenBelow: 'narrow' },
];

/** The API keys of a holder, one per row. */
export function HolderKeyTable({ keys }: { readonly keys: readonly AdminHolderKey[] }) {
  return <DataTable caption="API keys" columns={columns} rows={keys} keyOf={({ id }) => id} />;
}
