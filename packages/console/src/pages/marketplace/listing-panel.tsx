import type { NftListing } from '@keyfront/sdk';
import { useInfiniteQuery } from '@tanstack/react-query';
import { type Column, DataTable } from '../../components/data-table.tsx';
import { EmptyState } from '../../components/empty-state.tsx';
import { ListPanel } from '../../components/list-panel.tsx';
import { Moment } from '../../components/moment.tsx';
import { shortAddress } from '../../format/short-address.ts';
import { numberedPages } from '../../paging/next-page.ts';
import { getKeyfront } from '../../session/keyfront.ts';

const pageSize = 30;

const columns: readonly Column<NftListing>[] = [
  { title: 'Digital key', render: ({ tokenId, planet }) => `#${tokenId} · ${planet.name}` },
  { title: 'Price', render: ({ price, currency }) => `${price} ${currency}`, align: 'end' },
  {
    title: 'Seller',
    render: ({ seller }) => <span title={seller}>{shortAddress(seller)}</span>,
    hiddenBelow: 'narrow',
  },
  { title: 'Listed', render: ({ listedAt }) => <Moment time={listedAt} />, hiddenBelow: 'medium' },
  { title: 'Ends', render: ({ expiresAt }) => <Moment time={expiresAt} />, hiddenBelow: 'medium' },
];

/** What all holders offer. */
export function ListingPanel() {
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
      <DataTable caption="Digital keys for sale" columns={columns} rows={listings} keyOf={({ id }) => id} />
    </ListPanel>
  );
}
