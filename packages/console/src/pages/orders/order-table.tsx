import type { Order } from '@keyfront/sdk';
import { type Column, DataTable } from '../../components/data-table.tsx';
import { Moment } from '../../components/moment.tsx';
import { RowLink } from '../../components/row-link.tsx';
import { StatusBadge } from '../../components/status-badge.tsx';
import { formatMoney } from '../../format/format-money.ts';
import { fullName } from '../../format/full-name.ts';
import { approvalNames } from '../../format/state-names.ts';

const columns: readonly Column<Order>[] = [
  {
    title: 'Invoice',
    render: ({ id, invoiceNumber }) => (
      <RowLink to={`/orders/${id}`} list="/orders">
        <span className="tabular">{invoiceNumber}</span>
      </RowLink>
    ),
  },
  { title: 'Client', render: ({ client }) => <bdi>{fullName(client)}</bdi>, hiddenBelow: 'narrow' },
  { title: 'Order', render: ({ orderStatus }) => <StatusBadge state={orderStatus} /> },
  {
    title: 'Payment',
    render: ({ paymentStatus }) => <StatusBadge state={paymentStatus} />,
    hiddenBelow: 'narrow',
  },
  {
    title: 'Approval',
    render: ({ adminApproval }) => <StatusBadge state={adminApproval} label={approvalNames[adminApproval]} />,
    hiddenBelow: 'medium',
  },
  { title: 'Placed', render: ({ createdAt }) => <Moment time={createdAt} />, hiddenBelow: 'medium' },
  { title: 'Total', render: ({ totalAmount, currency }) => formatMoney(totalAmount, currency), align: 'end' },
];

interface OrderTableProps {
  /** Undefined while they are loaded. */
  readonly orders: readonly Order[] | undefined;
  readonly skeletonRows?: number;
}

/** Orders, one per row. */
export function OrderTable({ orders, skeletonRows = 12 }: OrderTableProps) {
  return (
    <DataTable
      caption="Orders"
      columns={columns}
      rows={orders}
      keyOf={({ id }) => id}
      skeletonRows={skeletonRows}
      isLinked
    />
  );
}
