import type { Order } from '@keyfront/sdk';
import { type Column, DataTable, type Sorting } from '../../components/data-table.tsx';
import { Moment } from '../../components/moment.tsx';
import { RowLink } from '../../components/row-link.tsx';
import { ToneBadge } from '../../components/status-badge.tsx';
import { formatMoney } from '../../format/format-money.ts';
import { fullName } from '../../format/full-name.ts';
import { texts } from '../../texts/order-table.ts';
import { summariseOrder } from './order-state.ts';

const columns: readonly Column<Order>[] = [
  {
    title: texts.invoice,
    render: ({ id, invoiceNumber }) => (
      <RowLink to={`/orders/${id}`} list="/orders">
        <span className="tabular">{invoiceNumber}</span>
      </RowLink>
    ),
    sort: { ascending: 'invoiceNumber:asc', descending: 'invoiceNumber:desc', first: 'ascending' },
  },
  { title: texts.client, render: ({ client }) => <bdi>{fullName(client)}</bdi>, hiddenBelow: 'narrow' },
  { title: texts.state, render: (order) => <ToneBadge {...summariseOrder(order)} /> },
  {
    title: texts.placed,
    render: ({ createdAt }) => <Moment time={createdAt} />,
    hiddenBelow: 'medium',
    sort: { ascending: 'createdAt:asc', descending: 'createdAt:desc', first: 'descending' },
  },
  {
    title: texts.total,
    render: ({ totalAmount, currency }) => formatMoney(totalAmount, currency),
    align: 'end',
    sort: { ascending: 'totalAmount:asc', descending: 'totalAmount:desc', first: 'descending' },
  },
];

interface OrderTableProps {
  /** Undefined while they are loaded. */
  readonly orders: readonly Order[] | undefined;
  readonly skeletonRows?: number;
  readonly sorting?: Sorting;
}

/** Orders, one per row. */
export function OrderTable({ orders, skeletonRows = 12, sorting }: OrderTableProps) {
  return (
    <DataTable
      caption={texts.orders}
      columns={columns}
      rows={orders}
      keyOf={({ id }) => id}
      skeletonRows={skeletonRows}
      isLinked
      {...(sorting ? { sorting } : {})}
    />
  );
}
