import { callbackBodyLimitBytes, defineOperations } from '../operation.ts';
import { OrderPath } from '../schemas/orders.ts';
import {
  Checkout,
  NewCheckout,
  OpenCheckout,
  PaymentReport,
  PaymentReportResult,
} from '../schemas/payments.ts';
import { ids, order } from './examples.ts';

const { totalAmount: amount, currency } = order;
const returnUrl = 'https://shop.example/thanks';

const checkout = {
  orderId: ids.order,
  status: 'PENDING',
  state: 'pending',
  paymentStatus: 'PENDING',
  cancelled: false,
  payUrl: `https://pay.example/${ids.paymentReference}`,
  expiresAt: '2026-11-15T10:00:00.000Z',
  amount,
  currency,
  returnUrl,
};

export const paymentOperations = defineOperations({
  openCheckout: {
    method: 'POST',
    path: '/payments/checkout',
    access: 'credential',
    tag: 'Payments',
    sdk: 'payments.checkout',
    summary: 'Open a checkout',
    description:
      'Gives the link at which the customer pays an order. The link is valid for 30 minutes; until then the same link is ' +
      'given again, unless `returnUrl` differs. After a failed payment a new link lets the customer try again.',
    status: 201,
    retry: 'idempotency-key',
    body: NewCheckout,
    response: OpenCheckout,
    erasedWith: 'orderId',
    errors: [
      'HOLDER_REQUIRED',
      'NOT_OWNED',
      'RESOURCE_NOT_FOUND',
      'PROVIDER_NOT_CONFIGURED',
      'CHECKOUT_REFUSED',
    ],
    example: { body: { orderId: ids.order, returnUrl }, response: checkout },
  },

  getCheckout: {
    method: 'GET',
    path: '/payments/checkout/{orderId}/status',
    access: 'credential',
    tag: 'Payments',
    sdk: 'payments.status',
    summary: 'Get the state of a payment',
    description:
      'Ask again every few seconds while the customer pays. The state does not depend on where the customer returns to.',
    status: 200,
    retry: 'safe',
    parameters: OrderPath,
    response: Checkout,
    errors: ['HOLDER_REQUIRED', 'NOT_OWNED'],
    example: {
      parameters: { orderId: ids.order },
      response: {
        ...checkout,
        ...{ status: 'PAID', state: 'paid', paymentStatus: 'PAID', payUrl: null, expiresAt: null },
      },
    },
  },

  cancelCheckout: {
    method: 'POST',
    path: '/payments/checkout/{orderId}/cancel',
    access: 'credential',
    tag: 'Payments',
    sdk: 'payments.cancel',
    summary: 'Cancel a checkout',
    description:
      'Makes the link of the checkout invalid. The order stays. Without a valid link this is a no-op. A payment that the ' +
      'provider has begun to process cannot be cancelled.',
    status: 200,
    retry: 'idempotency-key',
    parameters: OrderPath,
    response: Checkout,
    erasedWith: 'orderId',
    errors: ['HOLDER_REQUIRED', 'NOT_OWNED', 'CHECKOUT_REFUSED'],
    example: {
      parameters: { orderId: ids.order },
      response: {
        ...checkout,
        ...{ status: 'CANCELLED', state: 'cancelled', cancelled: true, payUrl: null, expiresAt: null },
      },
    },
  },

  reportPayment: {
    method: 'POST',
    path: '/callbacks/payments',
    access: 'provider',
    provider: 'PAYMENT',
    tag: 'Callbacks',
    summary: 'Report a payment',
    description:
      'The payment provider reports the state of a payment. The request is signed as the Standard Webhooks specification ' +
      'describes, with the secret of `PAYMENT_CALLBACK_SECRET`. `amount` and `currency` must be those of the order; a refund ' +
      'may be of a part. Reporting the current state again is a no-op. Money that arrives for a cancelled order is recorded, and ' +
      'shown as `refundDue`. A refused report changes nothing: if it was about money that was ' +
      'received, return it to the customer. Send a report again after a 429 or a 5xx; any other error is final.',
    status: 200,
    retry: 'safe',
    body: PaymentReport,
    bodyLimitBytes: callbackBodyLimitBytes,
    response: PaymentReportResult,
    errors: [
      'RESOURCE_NOT_FOUND',
      'PAYMENT_AMOUNT_MISMATCH',
      'CHECKOUT_CLOSED',
      'ORDER_TRANSITION_REFUSED',
      'REFUND_TOO_LARGE',
    ],
    example: {
      body: { reference: ids.paymentReference, status: 'PAID', amount, currency },
      response: { reference: ids.paymentReference, status: 'PAID' },
    },
  },
});
