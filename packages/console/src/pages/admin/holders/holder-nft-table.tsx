import type { AdminHolderNft } from '@keyfront/sdk';
import { Anchor } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { type Column, DataTable } from '../../../components/data-table.tsx';
import { Moment } from '../../../components/moment.tsx';
import { StatusBadge } from '../../../components/status-badge.tsx';
import { countOf } from '../../../format/count-of.ts';

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
      aria-label={`${countOf(count, noun)} of digital key ${tokenId}`}
      renderRoot={(props) => <Link {...props} to={to} search={{ tokenId: String(tokenId) }} />}
    >
      {count}
    </Anchor>
  );
}

const columns: readonly Column<AdminHolderNft>[] = [
  {
    title: 'Digital key',
    render: ({ tokenId, isPrimary }) => (
      <>
        #{tokenId} {isPrimary && <StatusBadge state="PRIMARY" label="Primary" />}
      </>
    ),
  },
  { title: 'Planet', render: ({ planet }) => <bdi>{planet.name}</bdi>, hiddenBelow: 'narrow' },
  {
    title: 'Clients',
    render: ({ clients, tokenId }) => (
      <CountLink count={clients} noun="client" to="/admin/clients" tokenId={tokenId} />
    ),
    align: 'end',
  },
  {
    title: 'Orders',
    render: ({ orders, tokenId }) => (
      <CountLink count={orders} noun="order" to="/admin/orders" tokenId={tokenId} />
    ),
    align: 'end',
  },
  { title: 'Webhooks', render: ({ webhooks }) => webhooks, align: 'end', hiddenBelow: 'medium' },
  { title: 'Acquired', render: ({ acquiredAt }) => <Moment time={acquiredAt} />, hiddenBelow: 'narrow' },
];

/** The digital keys of a holder, one per row. */
export function HolderNftTable({ nfts }: { readonly nfts: readonly AdminHolderNft[] }) {
  return (
    <DataTable
      caption="Digital keys"
      columns={columns}
      rows={nfts}
      keyOf={({ tokenId }) => String(tokenId)}
    />
  );
}
