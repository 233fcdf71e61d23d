import type { OrderDetails } from '@keyfront/sdk';
import { pageSettings } from '../page-settings.ts';
import { getKeyfront } from '../session/keyfront.ts';
import { texts } from '../texts/sandbox.ts';
import { SandboxActions } from './sandbox-actions.tsx';

/** What administrators and the payment provider decide about an order. Nothing outside of a sandbox. */
export function OrderSandbox({ order }: { readonly order: OrderDetails }) {
  if (!pageSettings.isSandbox) return null;
  const { id, adminApproval, orderStatus, paymentStatus, invoiceNumber } = order;
  const { sandbox } = getKeyfront();
  const isWaiting = adminApproval === 'PENDING' && orderStatus === 'PENDING';
  const isApproved = adminApproval === 'VERIFIED';
  const isPayable =
    orderStatus !== 'CANCELLED' && ['PENDING', 'PROCESSING', 'FAILED'].includes(paymentStatus);
  const report = (status: 'PAID' | 'FAILED') => () => sandbox.reportPayment(id, { status });
  const parcel = { carrier: 'Sandbox Parcel', trackingNumber: `TEST-${invoiceNumber}` };
  return (
    <SandboxActions
      description={texts.inPlaceOfPaymentProvider}
      actions={[
        {
          label: texts.approve,
          isPossible: isWaiting,
          run: () => sandbox.updateOrder(id, { adminApproval: 'VERIFIED' }),
        },
        {
          label: texts.reject,
          isPossible: isWaiting,
          run: () => sandbox.updateOrder(id, { adminApproval: 'REJECTED' }),
        },
        { label: texts.pay, isPossible: isPayable, run: report('PAID') },
        {
          label: texts.failPayment,
          isPossible: isPayable && paymentStatus !== 'FAILED',
          run: report('FAILED'),
        },
        {
          label: texts.ship,
          isPossible: isApproved && (orderStatus === 'PENDING' || orderStatus === 'PROCESSING'),
          run: () => sandbox.ship(id, parcel),
        },
        {
          label: texts.deliver,
          isPossible: orderStatus === 'SHIPPED',
          run: () => sandbox.updateOrder(id, { orderStatus: 'DELIVERED' }),
        },
      ]}
    />
  );
}
