import { Group, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link, useParams } from '@tanstack/react-router';
import { BackLink } from '../../components/back-link.tsx';
import { Moment } from '../../components/moment.tsx';
import { PageHeader } from '../../components/page-header.tsx';
import { Panel } from '../../components/panel.tsx';
import { PrintButton } from '../../components/print-button.tsx';
import { RejectionNote } from '../../components/rejection-note.tsx';
import { ResourceError } from '../../components/resource-error.tsx';
import { Skeleton } from '../../components/skeleton.tsx';
import { ToneBadge } from '../../components/status-badge.tsx';
import { fullName } from '../../format/full-name.ts';
import { nameApproval, nameOrder, namePayment } from '../../format/state-names.ts';
import { OrderSandbox } from '../../sandbox/order-sandbox.tsx';
import { getKeyfront } from '../../session/keyfront.ts';
import { texts } from '../../texts/orders.ts';
import { CancelOrder } from './cancel-order.tsx';
import { DeliveryText } from './delivery-text.tsx';
import { OrderLines } from './order-lines.tsx';
import classes from './order-page.module.css';
import { summariseOrder } from './order-state.ts';
import { OrderTimeline } from './order-timeline.tsx';
import { PaymentPanel } from './payment-panel.tsx';
import { ReferencePanel } from './reference-panel.tsx';
import { ShipmentPanel } from './shipment-panel.tsx';

/** One order: what was ordered, by whom, and what has become of it. */
export function OrderPage() {
  const { orderId } = useParams({ from: '/shell/orders/$orderId' });
  const {
    data: order,
    error,
    refetch,
  } = useQuery({
    queryKey: ['orders', 'one', orderId],
    queryFn: ({ signal }) => getKeyfront().orders.get(orderId, { signal }),
  });
  if (error && !order) {
    return (
      <>
        <BackLink to="/orders">{texts.orders}</BackLink>
        <ResourceError noun="order" id={orderId} error={error} onRetry={() => void refetch()} />
      </>
    );
  }
  if (!order) return <Skeleton height={420} />;
  return (
    <>
      <BackLink to="/orders">{texts.orders}</BackLink>
      <PageHeader
        title={order.invoiceNumber}
        description={
          <Group gap={8}>
            <ToneBadge {...summariseOrder(order, order.shipments.length)} />
            <Text size="sm" c="dimmed">
              <span>{nameOrder(order.orderStatus)}</span> · <span>{namePayment(order.paymentStatus)}</span> ·{' '}
              <span>{nameApproval(order.adminApproval)}</span> · <Moment time={order.createdAt} />
            </Text>
          </Group>
        }
        actions={
          <>
            <PrintButton name="Invoice" load={() => getKeyfront().orders.invoice(order.id)} />
            <CancelOrder order={order} />
          </>
        }
      />
      {order.rejectionNote && (
        <RejectionNote>
          <strong>{texts.rejected}</strong> <bdi>{order.rejectionNote}</bdi>
        </RejectionNote>
      )}
      <div className={classes.columns}>
        <div className={classes.column}>
          <Panel title={texts.items} isFlush>
            <OrderLines order={order} />
          </Panel>
          <PaymentPanel order={order} />
          <ShipmentPanel order={order} />
        </div>
        <div className={classes.column}>
          <OrderSandbox order={order} />
          <Panel title={texts.client}>
            <Text size="sm" fw={600}>
              <Link to="/clients/$clientId" params={{ clientId: order.client.id }} className={classes.client}>
                <bdi>{fullName(order.client)}</bdi>
              </Link>
            </Text>
            <Text size="sm" c="dimmed" className={classes.wrap}>
              {order.client.email}
            </Text>
            <DeliveryText order={order} />
          </Panel>
          <ReferencePanel order={order} />
          <Panel title={texts.timeline}>
            <OrderTimeline order={order} />
          </Panel>
        </div>
      </div>
    </>
  );
}
