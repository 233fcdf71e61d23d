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
import { texts } from '../../texts/marketplace.ts';
import { BuyModal } from './buy-modal.tsx';
import { TokenPrice } from './token-price.tsx';

const pageSize = 30;

const columnsOf = (onBuy: (listing: NftListing) => void): readonly Column<NftListing>[] => [
  {
    title: texts.digitalKey,
    render: ({ tokenId, planet }) => (
      <>
        #{tokenId} · <bdi>{planet.name}</bdi>
      </>
    ),
  },
  {
    title: texts.price,
    render: ({ price, currency }) => <TokenPrice price={price} currency={currency} />,
    align: 'end',
  },
  {
    title: texts.seller,
    render: ({ seller }) => <span title={seller}>{shortAddress(seller)}</span>,
    hiddenBelow: 'narrow',
  },
  { title: texts.listed, render: ({ listedAt }) => <Moment time={listedAt} />, hiddenBelow: 'medium' },
  { title: texts.ends, render: ({ expiresAt }) => <Moment time={expiresAt} />, hiddenBelow: 'medium' },
  // Without a contract there is nobody who carries out a purchase.
  ...(pageSettings.marketplaceContract === null
    ? []
    : [
        {
          title: texts.actions,
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
      errorTitle={texts.offersCouldNotBeLoaded}
      empty={
        <EmptyState icon="market" title={texts.nothingIsForSale}>
          {texts.digitalKeysThatHoldersOfferAppear}
        </EmptyState>
      }
    >
      <DataTable
        caption={texts.digitalKeysForSale}
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
        {texts.yours}
      </Text>
    );
  }
  return (
    <Button
      variant="default"
      size="compact-sm"
      aria-label={texts.buyTokenId(listing.tokenId)}
      onClick={() => onBuy(listing)}
    >
      {texts.buy}
    </Button>
  );
}
