import type { AdminOrderDetails } from '@keyfront/sdk';
import { Group } from '@mantine/core';
import { Panel } from '../../../components/panel.tsx';
import { RejectionNote } from '../../../components/rejection-note.tsx';
import { texts } from '../../../texts/admin-orders.ts';
import { OrderLines } from '../../orders/order-lines.tsx';
import { PaymentPanel } from '../../orders/payment-panel.tsx';
import { ReferencePanel } from '../../orders/reference-panel.tsx';
import { OrderClient } from './order-client.tsx';
import { OrderStates } from './order-states.tsx';
import { OtherOrders } from './other-orders.tsx';

/** What a decision about an order needs, beside the queue. Its page has the parcels and refunds too. */
export function OrderPeek({ details: order }: { readonly details: AdminOrderDetails }) {
  return (
    <>
      <Group gap={6}>
        <OrderStates order={order} />
      </Group>
      {order.rejectionNote && (
        <RejectionNote>
          <strong>{texts.rejected}</strong> <bdi>{order.rejectionNote}</bdi>
        </RejectionNote>
      )}
      <Panel title={texts.items} isFlush>
        <OrderLines order={order} />
      </Panel>
      <OrderClient order={order} />
      <PaymentPanel order={order} />
      <ReferencePanel order={order} />
      <OtherOrders orders={order.otherOrders} />
    </>
  );
}
