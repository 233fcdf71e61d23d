import type { Shipment } from '@keyfront/sdk';
import { Button, Group, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { useState } from 'react';
import { BackLink } from '../../../components/back-link.tsx';
import { Moment } from '../../../components/moment.tsx';
import { PageHeader } from '../../../components/page-header.tsx';
import { Panel } from '../../../components/panel.tsx';
import { PrintButton } from '../../../components/print-button.tsx';
import { RejectionNote } from '../../../components/rejection-note.tsx';
import { ResourceError } from '../../../components/resource-error.tsx';
import { Skeleton } from '../../../components/skeleton.tsx';
import { getKeyfront } from '../../../session/keyfront.ts';
import { texts } from '../../../texts/admin-orders.ts';
import { OrderLines } from '../../orders/order-lines.tsx';
import classes from '../../orders/order-page.module.css';
import { HistoryTimeline } from '../../orders/order-timeline.tsx';
import { PaymentPanel } from '../../orders/payment-panel.tsx';
import { ReferencePanel } from '../../orders/reference-panel.tsx';
import { ShipmentPanel } from '../../orders/shipment-panel.tsx';
import { DecisionButtons } from '../queue/decision-buttons.tsx';
import { adminOrderQuery } from './admin-order-query.ts';
import { OrderClient } from './order-client.tsx';
import { orderQueue } from './order-queue.ts';
import { leftToSend, refundableCents } from './order-rest.ts';
import { OrderStates } from './order-states.tsx';
import { OtherOrders } from './other-orders.tsx';
import { RefundModal } from './refund-modal.tsx';
import { ShipmentModal } from './shipment-modal.tsx';

const refreshMs = 5_000;

/** One order of the platform, with everything that a decision needs, its parcels and its money. */
export function AdminOrderPage() {
  const { orderId } = useParams({ from: '/shell/admin/orders/$orderId' });
  const {
    data: order,
    error,
    refetch,
  } = useQuery({
    ...adminOrderQuery(orderId),
    refetchInterval: refreshMs,
  });
  // The order as it was when the dialog was opened: what is confirmed is what was shown.
  const [dialog, setDialog] = useState<{
    readonly order: NonNullable<typeof order>;
    readonly kind: 'refund' | 'parcel' | Shipment;
  } | null>(null);
  if (error && !order) {
    return (
      <>
        <BackLink to="/admin/orders">{texts.orders}</BackLink>
        <ResourceError noun="order" id={orderId} error={error} onRetry={() => void refetch()} />
      </>
    );
  }
  if (!order) return <Skeleton height={420} />;
  const close = () => setDialog(null);
  return (
    <>
      <BackLink to="/admin/orders">{texts.orders}</BackLink>
      <PageHeader
        title={order.invoiceNumber}
        description={
          <Group gap={8}>
            <OrderStates order={order} />
            <Text size="sm" c="dimmed">
              #{order.nft.tokenId} · <Moment time={order.createdAt} />
            </Text>
          </Group>
        }
        actions={
          <>
            <PrintButton name="Invoice" load={() => getKeyfront().admin.orders.invoice(order.id)} />
            <PrintButton name="Packing slip" load={() => getKeyfront().admin.orders.packingSlip(order.id)} />
            <DecisionButtons kind={orderQueue} row={order} />
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
          <PaymentPanel
            order={order}
            aside={
              refundableCents(order) > 0 && (
                <Button
                  variant="default"
                  size="compact-sm"
                  onClick={() => setDialog({ order, kind: 'refund' })}
                >
                  {texts.refund}
                </Button>
              )
            }
          />
          <ShipmentPanel
            order={order}
            aside={
              leftToSend(order).length > 0 && (
                <Button
                  variant="default"
                  size="compact-sm"
                  onClick={() => setDialog({ order, kind: 'parcel' })}
                >
                  {texts.sendParcel}
                </Button>
              )
            }
            actionOf={(shipment) => (
              <Button
                variant="default"
                size="compact-sm"
                aria-label={texts.correctShipmentWithCarrier(shipment.carrier)}
                onClick={() => setDialog({ order, kind: shipment })}
              >
                {texts.correct}
              </Button>
            )}
          />
          <OtherOrders orders={order.otherOrders} />
        </div>
        <div className={classes.column}>
          <OrderClient order={order} />
          <ReferencePanel order={order} />
          <Panel title={texts.timeline}>
            <HistoryTimeline history={order.history} placedAt={order.createdAt} holder={texts.holder} />
          </Panel>
        </div>
      </div>
      {dialog?.kind === 'refund' && <RefundModal order={dialog.order} onClose={close} />}
      {dialog && dialog.kind !== 'refund' && (
        <ShipmentModal
          order={dialog.order}
          shipment={dialog.kind === 'parcel' ? null : dialog.kind}
          onClose={close}
        />
      )}
    </>
  );
}
