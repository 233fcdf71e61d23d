import { SegmentedControl } from '@mantine/core';
import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { LoadMore } from '../../../components/load-more.tsx';
import { PageHeader } from '../../../components/page-header.tsx';
import { getKeyfront } from '../../../session/keyfront.ts';
import { OrderFilterBar } from '../../orders/order-filter-bar.tsx';
import type { OrderFilters } from '../../orders/order-filters.ts';
import { QueuePanel } from '../queue/queue-panel.tsx';
import { OrderSummary } from './order-summary.tsx';

const pageSize = 25;
/** Holders place orders all the time, and an administrator has no stream of events. */
const refreshMs = 5_000;

/** The orders of the platform, those that wait for a decision first. */
export function AdminOrdersPage() {
  const filters = useSearch({ from: '/shell/admin/orders' });
  const navigate = useNavigate();
  const setFilters = (next: OrderFilters) =>
    void navigate({ to: '/admin/orders', search: next, replace: true });
  const query = useInfiniteQuery({
    queryKey: ['admin', 'orders', filters],
    queryFn: ({ pageParam, signal }) =>
      getKeyfront().admin.orders.list(
        { ...filters, take: pageSize, ...(pageParam ? { cursor: pageParam } : {}) },
        { signal },
      ),
    initialPageParam: '',
    getNextPageParam: ({ pageMetaDto }) => pageMetaDto.nextCursor,
    placeholderData: keepPreviousData,
    refetchInterval: refreshMs,
  });
  const count = query.data?.pages[0]?.pageMetaDto.itemCount;
  return (
    <>
      <PageHeader
        title="Orders"
        description={
          count === undefined ? ' ' : `${count.toLocaleString()} ${count === 1 ? 'order' : 'orders'}`
        }
        actions={
          <SegmentedControl
            aria-label="Which orders"
            value={filters.adminApproval ?? 'ALL'}
            onChange={(value) => {
              const { adminApproval: _adminApproval, ...others } = filters;
              setFilters(
                value === 'ALL' ? others : { ...others, adminApproval: value as 'PENDING' | 'VERIFIED' },
              );
            }}
            data={[
              { value: 'PENDING', label: 'To decide' },
              { value: 'VERIFIED', label: 'Approved' },
              { value: 'ALL', label: 'All' },
            ]}
          />
        }
      />
      <OrderFilterBar filters={filters} onChange={setFilters} />
      <QueuePanel
        query={query}
        rows={query.data?.pages.flatMap(({ orders }) => orders)}
        noun="order"
        icon="orders"
        keyOf={({ id }) => id}
        labelOf={({ invoiceNumber }) => invoiceNumber}
        render={(order) => <OrderSummary order={order} />}
        decide={({ id }, decision) => getKeyfront().admin.orders.update(id, decision)}
      />
      <LoadMore
        hasMore={query.hasNextPage}
        isLoading={query.isFetchingNextPage}
        onLoad={() => void query.fetchNextPage()}
      />
    </>
  );
}
