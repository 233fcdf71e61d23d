import type { ApiKey } from '@keyfront/sdk';
import { type Column, DataTable } from '../../components/data-table.tsx';
import { KeyName } from '../../components/key-name.tsx';
import { Moment } from '../../components/moment.tsx';
import { StatusBadge } from '../../components/status-badge.tsx';
import { texts } from '../../texts/keys.ts';
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
      title: texts.name,
      render: ({ keyName, tokenId }) => <KeyName keyName={keyName} tokenId={tokenId} />,
    },
    { title: texts.state, render: (key) => <StatusBadge state={stateOf(key)} /> },
    {
      title: texts.scopes,
      render: ({ scopes }) =>
        scopes === null ? texts.everything : <span title={scopes.join(', ')}>{shorten(scopes)}</span>,
      hiddenBelow: 'medium',
    },
    {
      title: texts.networks,
      render: ({ allowedNetworks }) => (allowedNetworks === null ? texts.any : allowedNetworks.join(', ')),
      hiddenBelow: 'medium',
    },
    {
      title: texts.validUntil,
      render: ({ expiresAt }) => (expiresAt ? <Moment time={expiresAt} /> : texts.noEnd),
      hiddenBelow: 'medium',
    },
    {
      title: texts.lastUsed,
      render: ({ lastUsedAt }) => (lastUsedAt ? <Moment time={lastUsedAt} isRelative /> : texts.never),
      hiddenBelow: 'narrow',
    },
    {
      title: texts.actions,
      align: 'end',
      render: (key) => (stateOf(key) === 'ACTIVE' ? <KeyMenu apiKey={key} onSecret={onSecret} /> : null),
    },
  ];
  return (
    <DataTable
      caption={texts.apiKeys}
      columns={columns}
      rows={keys}
      keyOf={({ id }) => id}
      skeletonRows={4}
    />
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
