import { Anchor, Center, Code, Text } from '@mantine/core';
import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { EmptyState } from '../../components/empty-state.tsx';
import { ListPanel } from '../../components/list-panel.tsx';
import { PageHeader } from '../../components/page-header.tsx';
import { ClearFilters } from '../../filters/clear-filters.tsx';
import { filterEntry } from '../../filters/filter-entry.ts';
import { daysToMoments } from '../../filters/local-days.ts';
import { countOf } from '../../format/count-of.ts';
import { cursorPages } from '../../paging/next-page.ts';
import { getKeyfront } from '../../session/keyfront.ts';
import { texts } from '../../texts/orders.ts';
import { ExportButton } from './export-button.tsx';
import { OrderFilterBar } from './order-filter-bar.tsx';
import { type OrderFilters, readOrderFilters } from './order-filters.ts';
import { OrderTable } from './order-table.tsx';

const pageSize = 25;

/** The orders of the digital key, with filters that stand in the URL. */
export function OrdersPage() {
  const filters = useSearch({ from: '/shell/orders' });
  const navigate = useNavigate();
  const setFilters = (next: OrderFilters, typedFilter?: string) =>
    void navigate({ to: '/orders', search: next, ...filterEntry(typedFilter) });
  const query = useInfiniteQuery({
    queryKey: ['orders', 'list', filters],
    // Each page begins after the last order of the one before, at the same cost however far it is.
    queryFn: ({ pageParam, signal }) =>
      getKeyfront().orders.list(
        { ...daysToMoments(filters), take: pageSize, ...(pageParam ? { cursor: pageParam } : {}) },
        { signal },
      ),
    ...cursorPages,
    placeholderData: keepPreviousData,
  });
  const orders = query.data?.pages.flatMap((page) => page.orders);
  const count = query.data?.pages[0]?.pageMetaDto.itemCount;
  const isFiltered = Object.keys(filters).length > 0;
  return (
    <>
      <PageHeader
        title={texts.orders}
        description={countOf(count, 'order')}
        actions={<ExportButton filters={filters} count={count} />}
      />
      <OrderFilterBar
        list="/orders"
        filters={filters}
        readFilters={readOrderFilters}
        onChange={setFilters}
        hint={texts.stateSumsUp}
      />
      <ListPanel
        query={query}
        rows={orders}
        errorTitle={texts.ordersCouldNotBeLoaded}
        empty={
          <EmptyState
            icon="orders"
            title={isFiltered ? texts.noOrderMatches : texts.noOrdersYet}
            action={
              isFiltered ? (
                <ClearFilters filters={filters} readFilters={readOrderFilters} onChange={setFilters} />
              ) : (
                <Anchor href="/docs/guides/orders" size="sm">
                  {texts.howToPlaceOrder}
                </Anchor>
              )
            }
          >
            {isFiltered ? (
              texts.changeOrClearFiltersToSee
            ) : (
              <>
                {texts.yourStorefrontPlacesOrdersThroughApi} <Code>keyfront post /dapp/orders</Code>
                {texts.theyAppearHereByThemselves}
              </>
            )}
          </EmptyState>
        }
      >
        <OrderTable
          orders={orders}
          // As many as come, so that going back finds its place at once.
          skeletonRows={pageSize}
          sorting={{
            value: filters.orderBy ?? 'createdAt:desc',
            onChange: (orderBy) => setFilters(readOrderFilters({ ...filters, orderBy })),
          }}
        />
      </ListPanel>
      {orders && orders.length > pageSize && !query.hasNextPage && (
        <Center mt="lg">
          <Text size="sm" c="dimmed">
            {texts.thatIsAllOfThem}
          </Text>
        </Center>
      )}
    </>
  );
}
