import type { AdminOrder } from '@keyfront/sdk';
import { type Column, DataTable } from '../../../components/data-table.tsx';
import { Moment } from '../../../components/moment.tsx';
import { Panel } from '../../../components/panel.tsx';
import { RowLink } from '../../../components/row-link.tsx';
import { StatusBadge } from '../../../components/status-badge.tsx';
import { formatMoney } from '../../../format/format-money.ts';

const columns: readonly Column<AdminOrder>[] = [
  {
    title: 'Invoice',
    render: ({ id, invoiceNumber }) => (
      <RowLink to={`/admin/orders/${id}`} list="/admin/orders">
        <span className="tabular">{invoiceNumber}</span>
      </RowLink>
    ),
  },
  { title: 'Order', render: ({ orderStatus }) => <StatusBadge state={orderStatus} /> },
  {
    title: 'Payment',
    render: ({ paymentStatus }) => <StatusBadge state={paymentStatus} />,
    hiddenBelow: 'narrow',
  },
  { title: 'Placed', render: ({ createdAt }) => <Moment time={createdAt} />, hiddenBelow: 'medium' },
  { title: 'Total', render: ({ totalAmount, currency }) => formatMoney(totalAmount, currency), align: 'end' },
];

/** The latest other orders of the client. */
export function OtherOrders({ orders }: { readonly orders: readonly AdminOrder[] }) {
  if (orders.length === 0) return null;
  return (
    <Panel title="Other orders of the client" isFlush>
      <DataTable caption="Other orders" columns={columns} rows={orders} keyOf={({ id }) => id} isLinked />
    </Panel>
  );
}
