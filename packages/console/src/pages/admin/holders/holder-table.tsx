import type { AdminHolder } from '@keyfront/sdk';
import { Text } from '@mantine/core';
import { type Column, DataTable } from '../../../components/data-table.tsx';
import { Moment } from '../../../components/moment.tsx';
import { RowLink } from '../../../components/row-link.tsx';
import { shortAddress } from '../../../format/short-address.ts';

const shownTokens = 3;

const columns: readonly Column<AdminHolder>[] = [
  {
    title: 'Wallet',
    render: ({ id, walletAddress, email }) => (
      <>
        <RowLink to={`/admin/holders/${id}`} list="/admin/holders" title={walletAddress}>
          <span className="tabular">{shortAddress(walletAddress)}</span>
        </RowLink>
        {email && (
          <Text size="xs" c="dimmed" truncate>
            <bdi>{email}</bdi>
          </Text>
        )}
      </>
    ),
  },
  { title: 'Digital keys', render: (holder) => describeTokens(holder) },
  { title: 'Clients', render: ({ counts }) => counts?.clients ?? '–', align: 'end', hiddenBelow: 'narrow' },
  { title: 'Orders', render: ({ counts }) => counts?.orders ?? '–', align: 'end', hiddenBelow: 'narrow' },
  { title: 'API keys', render: ({ counts }) => counts?.apiKeys ?? '–', align: 'end', hiddenBelow: 'medium' },
  { title: 'Webhooks', render: ({ counts }) => counts?.webhooks ?? '–', align: 'end', hiddenBelow: 'medium' },
  {
    title: 'Last active',
    render: ({ lastActiveAt }) => (lastActiveAt ? <Moment time={lastActiveAt} isRelative /> : '–'),
    hiddenBelow: 'narrow',
  },
  { title: 'Known since', render: ({ createdAt }) => <Moment time={createdAt} />, hiddenBelow: 'medium' },
];

/** Holders, one per row. */
export function HolderTable({ holders }: { readonly holders: readonly AdminHolder[] | undefined }) {
  return (
    <DataTable
      caption="Holders"
      columns={columns}
      rows={holders}
      keyOf={({ id }) => id}
      skeletonRows={12}
      isLinked
    />
  );
}

/** `#1, #2, #3 and 4 more` */
function describeTokens({ tokenIds, nftCount }: AdminHolder): string {
  if (nftCount === 0) return 'None';
  const shown = tokenIds.slice(0, shownTokens);
  const more = nftCount - shown.length;
  return shown.map((tokenId) => `#${tokenId}`).join(', ') + (more > 0 ? ` and ${more} more` : '');
}
