import type { AdminHolder } from '@keyfront/sdk';
import { Text } from '@mantine/core';
import { type Column, DataTable } from '../../../components/data-table.tsx';
import { Moment } from '../../../components/moment.tsx';
import { RowLink } from '../../../components/row-link.tsx';
import { formatNumber } from '../../../format/format-number.ts';
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
    render: ({ counts }) => formatCount(counts?.clients),
    align: 'end',
    hiddenBelow: 'narrow',
  },
  {
    title: texts.orders,
    render: ({ counts }) => formatCount(counts?.orders),
    align: 'end',
    hiddenBelow: 'narrow',
  },
  {
    title: texts.apiKeys,
    render: ({ counts }) => formatCount(counts?.apiKeys),
    align: 'end',
    hiddenBelow: 'medium',
  },
  {
    title: texts.webhooks,
    render: ({ counts }) => formatCount(counts?.webhooks),
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

const formatCount = (count: number | undefined): string => (count === undefined ? '–' : formatNumber(count));

/** `#1, #2, #3 and 4 more` */
function describeTokens({ tokenIds, nftCount }: AdminHolder): string {
  if (nftCount === 0) return texts.none;
  const shown = tokenIds.slice(0, shownTokens);
  const more = nftCount - shown.length;
  return shown.map((tokenId) => `#${tokenId}`).join(', ') + (more > 0 ? ` and ${more} more` : '');
}
