import type { AdminHolderNft } from '@keyfront/sdk';
import { Anchor } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { type Column, DataTable } from '../../../components/data-table.tsx';
import { Moment } from '../../../components/moment.tsx';
import { StatusBadge } from '../../../components/status-badge.tsx';
import { countOf } from '../../../format/count-of.ts';
import { formatNumber } from '../../../format/format-number.ts';
import { texts } from '../../../texts/admin-holders.ts';

interface CountLinkProps {
  readonly count: number;
  readonly noun: string;
  readonly to: '/admin/clients' | '/admin/orders';
  readonly tokenId: number;
}

/** A count that leads to what it counts. */
function CountLink({ count, noun, to, tokenId }: CountLinkProps) {
  if (count === 0) return 0;
  return (
    <Anchor
      size="sm"
      aria-label={texts.countOfDigitalKeyTokenId(countOf(count, noun), tokenId)}
      renderRoot={(props) => <Link {...props} to={to} search={{ tokenId: String(tokenId) }} />}
    >
      {formatNumber(count)}
    </Anchor>
  );
}

const columns: readonly Column<AdminHolderNft>[] = [
  {
    title: texts.digitalKey,
    render: ({ tokenId, isPrimary }) => (
      <>
        #{tokenId} {isPrimary && <StatusBadge state="PRIMARY" label={texts.primary} />}
      </>
    ),
  },
  { title: texts.planet, render: ({ planet }) => <bdi>{planet.name}</bdi>, hiddenBelow: 'narrow' },
  {
    title: texts.clients,
    render: ({ clients, tokenId }) => (
      <CountLink count={clients} noun="client" to="/admin/clients" tokenId={tokenId} />
    ),
    align: 'end',
  },
  {
    title: texts.orders,
    render: ({ orders, tokenId }) => (
      <CountLink count={orders} noun="order" to="/admin/orders" tokenId={tokenId} />
    ),
    align: 'end',
  },
  { title: texts.webhooks, render: ({ webhooks }) => webhooks, align: 'end', hiddenBelow: 'medium' },
  { title: texts.acquired, render: ({ acquiredAt }) => <Moment time={acquiredAt} />, hiddenBelow: 'narrow' },
];

/** The digital keys of a holder, one per row. */
export function HolderNftTable({ nfts }: { readonly nfts: readonly AdminHolderNft[] }) {
  return (
    <DataTable
      caption={texts.digitalKeys}
      columns={columns}
      rows={nfts}
      keyOf={({ tokenId }) => String(tokenId)}
    />
  );
}
