import type { NftListing } from '@keyfront/sdk';
import { Button, Text } from '@mantine/core';
import { useInfiniteQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { type Column, DataTable } from '../../components/data-table.tsx';
import { EmptyState } from '../../components/empty-state.tsx';
import { ListPanel } from '../../components/list-panel.tsx';
import { Moment } from '../../components/moment.tsx';
import { shortAddress } from '../../format/short-address.ts';
import { pageSettings } from '../../page-settings.ts';
import { numberedPages } from '../../paging/next-page.ts';
import { getKeyfront } from '../../session/keyfront.ts';
import { useSession } from '../../session/session-store.ts';
import { BuyModal } from './buy-modal.tsx';
import { TokenPrice } from './token-price.tsx';

const pageSize = 30;

const columnsOf = (onBuy: (listing: NftListing) => void): readonly Column<NftListing>[] => [
  {
    title: 'Digital key',
    render: ({ tokenId, planet }) => (
      <>
        #{tokenId} · <bdi>{planet.name}</bdi>
      </>
    ),
  },
  {
    title: 'Price',
    render: ({ price, currency }) => <TokenPrice price={price} currency={currency} />,
    align: 'end',
  },
  {
    title: 'Seller',
    render: ({ seller }) => <span title={seller}>{shortAddress(seller)}</span>,
    hiddenBelow: 'narrow',
  },
  { title: 'Listed', render: ({ listedAt }) => <Moment time={listedAt} />, hiddenBelow: 'medium' },
  { title: 'Ends', render: ({ expiresAt }) => <Moment time={expiresAt} />, hiddenBelow: 'medium' },
  // Without a contract there is nobody who carries out a purchase.
  ...(pageSettings.marketplaceContract === null
    ? []
    : [
        {
          title: 'Actions',
          render: (listing: NftListing) => <BuyButton listing={listing} onBuy={onBuy} />,
          align: 'end',
        } as const,
      ]),
];

/** What all holders offer. */
export function ListingPanel() {
  const [bought, setBought] = useState<NftListing | null>(null);
  const query = useInfiniteQuery({
    queryKey: ['listings'],
    queryFn: ({ pageParam, signal }) =>
      getKeyfront().nftListings.list({ take: pageSize, page: pageParam }, { signal }),
    ...numberedPages,
  });
  const listings = query.data?.pages.flatMap((page) => page.listings);
  return (
    <ListPanel
      query={query}
      rows={listings}
      errorTitle="The offers could not be loaded"
      empty={
        <EmptyState icon="market" title="Nothing is for sale">
          Digital keys that holders offer appear here.
        </EmptyState>
      }
    >
      <DataTable
        caption="Digital keys for sale"
        columns={columnsOf(setBought)}
        rows={listings}
        keyOf={({ id }) => id}
      />
      {bought && <BuyModal listing={bought} onClose={() => setBought(null)} />}
    </ListPanel>
  );
}

interface BuyButtonProps {
  readonly listing: NftListing;
  readonly onBuy: (listing: NftListing) => void;
}

function BuyButton({ listing, onBuy }: BuyButtonProps) {
  const session = useSession();
  const isOwn = listing.seller.toLowerCase() === session?.walletAddress.toLowerCase();
  if (isOwn) {
    return (
      <Text size="sm" c="dimmed" span>
        Yours
      </Text>
    );
  }
  return (
    <Button
      variant="default"
      size="compact-sm"
      aria-label={`Buy #${listing.tokenId}`}
      onClick={() => onBuy(listing)}
    >
      Buy
    </Button>
  );
}
