import type { ApiKey } from '@keyfront/sdk';
import { type Column, DataTable } from '../../components/data-table.tsx';
import { KeyName } from '../../components/key-name.tsx';
import { Moment } from '../../components/moment.tsx';
import { StatusBadge } from '../../components/status-badge.tsx';
import { KeyMenu } from './key-menu.tsx';
import type { NewSecret } from './secret-modal.tsx';

interface KeyTableProps {
  readonly keys: readonly ApiKey[] | undefined;
  readonly onSecret: (secret: NewSecret) => void;
}

const shownScopes = 3;

/** API keys, one per row. */
export function KeyTable({ keys, onSecret }: KeyTableProps) {
  const columns: readonly Column<ApiKey>[] = [
    {
      title: 'Name',
      render: ({ keyName, tokenId }) => <KeyName keyName={keyName} tokenId={tokenId} />,
    },
    { title: 'State', render: (key) => <StatusBadge state={stateOf(key)} /> },
    {
      title: 'Scopes',
      render: ({ scopes }) =>
        scopes === null ? 'Everything' : <span title={scopes.join(', ')}>{shorten(scopes)}</span>,
      hiddenBelow: 'medium',
    },
    {
      title: 'Networks',
      render: ({ allowedNetworks }) => (allowedNetworks === null ? 'Any' : allowedNetworks.join(', ')),
      hiddenBelow: 'medium',
    },
    {
      title: 'Valid until',
      render: ({ expiresAt }) => (expiresAt ? <Moment time={expiresAt} /> : 'No end'),
      hiddenBelow: 'medium',
    },
    {
      title: 'Last used',
      render: ({ lastUsedAt }) => (lastUsedAt ? <Moment time={lastUsedAt} isRelative /> : 'Never'),
      hiddenBelow: 'narrow',
    },
    {
      title: 'Actions',
      align: 'end',
      render: (key) => (stateOf(key) === 'ACTIVE' ? <KeyMenu apiKey={key} onSecret={onSecret} /> : null),
    },
  ];
  return (
    <DataTable caption="API keys" columns={columns} rows={keys} keyOf={({ id }) => id} skeletonRows={4} />
  );
}

/** The first ones, and how many more there are. */
function shorten(scopes: readonly string[]): string {
  const rest = scopes.length - shownScopes;
  return rest > 1 ? `${scopes.slice(0, shownScopes).join(', ')} and ${rest} more` : scopes.join(', ');
}

function stateOf({ revokedAt, expiresAt }: ApiKey): 'ACTIVE' | 'REVOKED' | 'EXPIRED' {
  if (revokedAt) return 'REVOKED';
  return expiresAt && Date.parse(expiresAt) < Date.now() ? 'EXPIRED' : 'ACTIVE';
}
