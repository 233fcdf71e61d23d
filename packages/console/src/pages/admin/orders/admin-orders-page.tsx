import type { AdminOrder } from '@keyfront/sdk';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useCallback } from 'react';
import { PageHeader } from '../../../components/page-header.tsx';
import { ClearFilters } from '../../../filters/clear-filters.tsx';
import { tokenField } from '../../../filters/fields.tsx';
import { filterEntry } from '../../../filters/filter-entry.ts';
import { daysToMoments } from '../../../filters/local-days.ts';
import { countOf } from '../../../format/count-of.ts';
import { getKeyfront } from '../../../session/keyfront.ts';
import { texts } from '../../../texts/admin-orders.ts';
import { OrderFilterBar } from '../../orders/order-filter-bar.tsx';
import { ApprovalFilter, chosenFilter } from '../queue/approval-filter.tsx';
import { QueuePanel } from '../queue/queue-panel.tsx';
import { type LoadPage, useQueue } from '../queue/use-queue.ts';
import { type AdminOrderFilters, readAdminOrderFilters, waitingOrders } from './admin-order-filters.ts';
import { orderQueue } from './order-queue.ts';

const orderChoices = {
  PENDING: waitingOrders,
  VERIFIED: { adminApproval: 'VERIFIED' },
  REJECTED: { adminApproval: 'REJECTED' },
} as const;

/** The orders of the platform, those that wait for a decision first. */
export function AdminOrdersPage() {
  const filters = useSearch({ from: '/shell/admin/orders' });
  const navigate = useNavigate();
  const setFilters = (next: AdminOrderFilters, typedFilter?: string) =>
    void navigate({ to: '/admin/orders', search: next, ...filterEntry(typedFilter) });
  const load: LoadPage<AdminOrder> = useCallback(
    async ({ after, take }, signal) => {
      const { orders, pageMetaDto } = await getKeyfront().admin.orders.list(
        { ...daysToMoments(filters), take, ...(after ? { cursor: after } : {}) },
        { signal },
      );
      return { rows: orders, itemCount: pageMetaDto.itemCount, next: pageMetaDto.nextCursor };
    },
    [filters],
  );
  const queryKey = ['admin', 'orders', filters];
  const queue = useQueue(queryKey, load, 'cursors');
  const isQueue = chosenFilter(orderChoices, filters) === 'PENDING' && Object.keys(filters).length === 2;
  return (
    <>
      <PageHeader
        title={texts.orders}
        description={countOf(queue.count, 'order')}
        actions={
          <ApprovalFilter
            label={texts.whichOrders}
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
        kind={orderQueue}
        queue={queue}
        queryKey={queryKey}
        load={load}
        listedApproval={filters.adminApproval}
        isQueue={isQueue}
        clearFilters={
          <ClearFilters filters={filters} readFilters={readAdminOrderFilters} onChange={setFilters} />
        }
      />
    </>
  );
}
