import type { AdminHolder } from '@keyfront/sdk';
import { Text } from '@mantine/core';
import { type Column, DataTable } from '../../../components/data-table.tsx';
import { Moment } from '../../../components/moment.tsx';
import { RowLink } from '../../../components/row-link.tsx';
import { shortAddress } from '../../../format/short-address.ts';
import { texts } from '../../../texts/admin-holders.ts';

const shownTokens = 3;

const columns: readonly Column<AdminHolder>[] = [
  {
    title: texts.wallet,
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
  { title: texts.digitalKeys, render: (holder) => describeTokens(holder) },
  {
    title: texts.clients,
    render: ({ counts }) => counts?.clients ?? '–',
    align: 'end',
    hiddenBelow: 'narrow',
  },
  { title: texts.orders, render: ({ counts }) => counts?.orders ?? '–', align: 'end', hiddenBelow: 'narrow' },
  {
    title: texts.apiKeys,
    render: ({ counts }) => counts?.apiKeys ?? '–',
    align: 'end',
    hiddenBelow: 'medium',
  },
  {
    title: texts.webhooks,
    render: ({ counts }) => counts?.webhooks ?? '–',
    align: 'end',
    hiddenBelow: 'medium',
  },
  {
    title: texts.lastActive,
    render: ({ lastActiveAt }) => (lastActiveAt ? <Moment time={lastActiveAt} isRelative /> : '–'),
    hiddenBelow: 'narrow',
  },
  { title: texts.knownSince, render: ({ createdAt }) => <Moment time={createdAt} />, hiddenBelow: 'medium' },
];

/** Holders, one per row. */
export function HolderTable({ holders }: { readonly holders: readonly AdminHolder[] | undefined }) {
  return (
    <DataTable
      caption={texts.holders}
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
  if (nftCount === 0) return texts.none;
  const shown = tokenIds.slice(0, shownTokens);
  const more = nftCount - shown.length;
  return shown.map((tokenId) => `#${tokenId}`).join(', ') + (more > 0 ? ` and ${more} more` : '');
}
