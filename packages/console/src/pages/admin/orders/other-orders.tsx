import type { AdminOrder } from '@keyfront/sdk';
import { Text } from '@mantine/core';
import { type Column, DataTable } from '../../../components/data-table.tsx';
import { Moment } from '../../../components/moment.tsx';
import { Panel } from '../../../components/panel.tsx';
import { RowLink } from '../../../components/row-link.tsx';
import { ToneBadge } from '../../../components/status-badge.tsx';
import { formatMoney } from '../../../format/format-money.ts';
import { texts } from '../../../texts/admin-orders.ts';
import { summariseOrder } from '../../orders/order-state.ts';

const columns: readonly Column<AdminOrder>[] = [
  {
    title: texts.invoice,
    render: ({ id, invoiceNumber }) => (
      <RowLink to={`/admin/orders/${id}`} list="/admin/orders">
        <span className="tabular">{invoiceNumber}</span>
      </RowLink>
    ),
  },
  { title: texts.state, render: (order) => <ToneBadge {...summariseOrder(order)} /> },
  { title: texts.placed, render: ({ createdAt }) => <Moment time={createdAt} />, hiddenBelow: 'medium' },
  {
    title: texts.total,
    render: ({ totalAmount, currency }) => formatMoney(totalAmount, currency),
    align: 'end',
  },
];

interface OtherOrdersProps {
  readonly title?: string;
  readonly orders: readonly AdminOrder[];
  /** Stands in place of no orders. Without it, nothing does. */
  readonly empty?: string;
}

/** The latest orders of a client, beside the one that is shown. */
export function OtherOrders({ title = texts.otherOrdersOfClient, orders, empty }: OtherOrdersProps) {
  if (orders.length === 0 && empty === undefined) return null;
  return (
    <Panel title={title} isFlush={orders.length > 0}>
      {orders.length > 0 ? (
        <DataTable caption={title} columns={columns} rows={orders} keyOf={({ id }) => id} isLinked />
      ) : (
        <Text size="sm" c="dimmed">
          {empty}
        </Text>
      )}
    </Panel>
  );
}
