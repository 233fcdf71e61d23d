import type { AdminOrder } from '@keyfront/sdk';
import { Anchor } from '@mantine/core';
import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { type Column, DataTable } from '../../../components/data-table.tsx';
import { EmptyState } from '../../../components/empty-state.tsx';
import { ListPanel } from '../../../components/list-panel.tsx';
import { Moment } from '../../../components/moment.tsx';
import { PageHeader } from '../../../components/page-header.tsx';
import { RowLink } from '../../../components/row-link.tsx';
import { StatusBadge } from '../../../components/status-badge.tsx';
import { countOf } from '../../../format/count-of.ts';
import { formatMoney } from '../../../format/format-money.ts';
import { fullName } from '../../../format/full-name.ts';
import { cursorPages } from '../../../paging/next-page.ts';
import { getKeyfront } from '../../../session/keyfront.ts';
import { texts } from '../../../texts/admin-refunds.ts';
import { refundsRefreshMs } from './refund-queries.ts';

const pageSize = 25;

const columns: readonly Column<AdminOrder>[] = [
  {
    title: texts.invoice,
    render: ({ id, invoiceNumber }) => (
      <RowLink to={`/admin/orders/${id}`} list="/admin/refunds">
        <span className="tabular">{invoiceNumber}</span>
      </RowLink>
    ),
  },
  {
    title: texts.client,
    render: ({ client }) => (
      <Anchor component={Link} to={`/admin/clients/${client.id}`} size="sm">
        <bdi>{fullName(client)}</bdi>
      </Anchor>
    ),
    hiddenBelow: 'narrow',
  },
  { title: texts.digitalKey, render: ({ nft }) => `#${nft.tokenId}`, hiddenBelow: 'medium' },
  { title: texts.order, render: ({ orderStatus }) => <StatusBadge state={orderStatus} /> },
  { title: texts.changed, render: ({ updatedAt }) => <Moment time={updatedAt} />, hiddenBelow: 'medium' },
  {
    title: texts.paid,
    render: ({ paidAmount, currency }) => formatMoney(paidAmount, currency),
    align: 'end',
    hiddenBelow: 'narrow',
  },
  {
    title: texts.refundDue,
    render: ({ refundDue, currency }) => formatMoney(refundDue, currency),
    align: 'end',
  },
];

/** Orders whose customers have paid too much: after a cancellation, or twice. */
export function RefundsPage() {
  const query = useInfiniteQuery({
    queryKey: ['admin', 'refunds', 'list'],
    queryFn: ({ pageParam, signal }) =>
      getKeyfront().admin.orders.list(
        { refundDue: 'true', take: pageSize, ...(pageParam ? { cursor: pageParam } : {}) },
        { signal },
      ),
    ...cursorPages,
    placeholderData: keepPreviousData,
    refetchInterval: refundsRefreshMs,
  });
  const orders = query.data?.pages.flatMap((page) => page.orders);
  const count = query.data?.pages[0]?.pageMetaDto.itemCount;
  return (
    <>
      <PageHeader title={texts.refundsDue} description={countOf(count, 'order')} />
      <ListPanel
        query={query}
        rows={orders}
        errorTitle={texts.refundsCouldNotBeLoaded}
        empty={
          <EmptyState icon="refund" title={texts.nothingIsToBeRefunded}>
            {texts.orderAppearsHereWhenItIs}
          </EmptyState>
        }
      >
        <DataTable
          caption={texts.refundsDue}
          columns={columns}
          rows={orders}
          keyOf={({ id }) => id}
          isLinked
        />
      </ListPanel>
    </>
  );
}
