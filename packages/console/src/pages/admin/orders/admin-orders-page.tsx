import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { LoadMore } from '../../../components/load-more.tsx';
import { PageHeader } from '../../../components/page-header.tsx';
import { tokenField } from '../../../filters/fields.tsx';
import { filterEntry } from '../../../filters/filter-entry.ts';
import { countOf } from '../../../format/count-of.ts';
import { cursorPages } from '../../../paging/next-page.ts';
import { getKeyfront } from '../../../session/keyfront.ts';
import { OrderFilterBar } from '../../orders/order-filter-bar.tsx';
import { ApprovalFilter, chosenFilter } from '../queue/approval-filter.tsx';
import { QueuePanel } from '../queue/queue-panel.tsx';
import { type AdminOrderFilters, readAdminOrderFilters, waitingOrders } from './admin-order-filters.ts';
import { canDecide, rejectionTexts } from './order-moves.ts';
import { OrderSummary } from './order-summary.tsx';

const orderChoices = {
  PENDING: waitingOrders,
  VERIFIED: { adminApproval: 'VERIFIED' },
  REJECTED: { adminApproval: 'REJECTED' },
} as const;
const pageSize = 25;
/** Holders place orders all the time, and an administrator has no stream of events. */
const refreshMs = 5_000;

/** The orders of the platform, those that wait for a decision first. */
export function AdminOrdersPage() {
  const filters = useSearch({ from: '/shell/admin/orders' });
  const navigate = useNavigate();
  const setFilters = (next: AdminOrderFilters, typedFilter?: string) =>
    void navigate({ to: '/admin/orders', search: next, ...filterEntry(typedFilter) });
  const query = useInfiniteQuery({
    queryKey: ['admin', 'orders', filters],
    queryFn: ({ pageParam, signal }) =>
      getKeyfront().admin.orders.list(
        { ...filters, take: pageSize, ...(pageParam ? { cursor: pageParam } : {}) },
        { signal },
      ),
    ...cursorPages,
    placeholderData: keepPreviousData,
    refetchInterval: refreshMs,
  });
  const isQueue = chosenFilter(orderChoices, filters) === 'PENDING' && Object.keys(filters).length === 2;
  const count = query.data?.pages[0]?.pageMetaDto.itemCount;
  return (
    <>
      <PageHeader
        title="Orders"
        description={countOf(count, 'order')}
        actions={
          <ApprovalFilter
            label="Which orders"
            choices={orderChoices}
            filters={filters}
            onChange={setFilters}
          />
        }
      />
      <OrderFilterBar
        list="/admin/orders"
        filters={filters}
        readFilters={readAdminOrderFilters}
        onChange={setFilters}
        moreFields={(change) => [tokenField(filters.tokenId, change)]}
      />
      <QueuePanel
        query={query}
        rows={query.data?.pages.flatMap(({ orders }) => orders)}
        noun="order"
        isQueue={isQueue}
        onClearFilters={() => setFilters({})}
        icon="orders"
        keyOf={({ id }) => id}
        labelOf={({ invoiceNumber }) => invoiceNumber}
        render={(order) => <OrderSummary order={order} />}
        canDecide={canDecide}
        decide={(decisions) => getKeyfront().admin.orders.decide(decisions)}
        rejectionEffect={rejectionTexts.effect}
        noteReaders={rejectionTexts.noteReaders}
      />
      <LoadMore query={query} />
    </>
  );
}
