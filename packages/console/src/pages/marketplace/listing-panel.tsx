import type { NftListing } from '@keyfront/sdk';
import { useInfiniteQuery } from '@tanstack/react-query';
import { type Column, DataTable } from '../../components/data-table.tsx';
import { EmptyState } from '../../components/empty-state.tsx';
import { ErrorNotice } from '../../components/error-notice.tsx';
import { LoadMore } from '../../components/load-more.tsx';
import { Moment } from '../../components/moment.tsx';
import { Panel } from '../../components/panel.tsx';
import { shortAddress } from '../../format/short-address.ts';
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
    initialPageParam: 1,
    getNextPageParam: ({ pageMetaDto }) => (pageMetaDto.hasNextPage ? pageMetaDto.page + 1 : null),
  });
  const listings = query.data?.pages.flatMap((page) => page.listings);
  if (query.error && !listings) {
    return <ErrorNotice title="The offers could not be loaded" error={query.error} />;
  }
  return (
    <>
      <Panel isFlush>
        {listings?.length === 0 ? (
          <EmptyState icon="market" title="Nothing is for sale">
            Digital keys that holders offer appear here.
          </EmptyState>
        ) : (
          <DataTable
            caption="Digital keys for sale"
            columns={columns}
            rows={listings}
            keyOf={({ id }) => id}
          />
        )}
      </Panel>
      <LoadMore
        hasMore={query.hasNextPage}
        isLoading={query.isFetchingNextPage}
        onLoad={() => void query.fetchNextPage()}
      />
    </>
  );
}
