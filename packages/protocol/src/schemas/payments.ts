import { type Static, Type } from 'typebox';
import { paymentStatuses } from './orders.ts';
import {
  Amount,
  AmountInput,
  Currency,
  FormerName,
  Nullable,
  ReturnUrl,
  StringEnum,
  Text,
  Timestamp,
  Uuid,
} from './values.ts';

/** The states of a checkout: those of the payment, and those of a link that was not used. */
export const checkoutStatuses = [...paymentStatuses, 'CANCELLED', 'EXPIRED'] as const;
export type CheckoutStatus = (typeof checkoutStatuses)[number];

const checkoutStates = checkoutStatuses.map((status) => status.toLowerCase() as Lowercase<CheckoutStatus>);
const formerNames = {
  state: FormerName('status', StringEnum(checkoutStates), 'in lower case'),
  paymentStatus: FormerName('paymentStatus', StringEnum(paymentStatuses), 'of the order'),
  cancelled: Type.Boolean({
    deprecated: true,
    description: 'Whether `status` is CANCELLED, for existing storefronts',
  }),
};

/** What the payment provider may report. A payment is PENDING until it does. */
export const reportedPaymentStatuses = ['PROCESSING', 'PAID', 'FAILED', 'REFUNDED'] as const;

const returnUrlText = 'Where the customer returns to after the payment.';

export const NewCheckout = Type.Object(
  {
    orderId: Uuid('Id of the order to pay'),
    returnUrl: Type.Optional(ReturnUrl(returnUrlText)),
    // Free text: a checkout must not fail because of something that nobody reads.
    customerIp: Type.Optional({
      ...Text(200, 'Accepted for existing storefronts. It is neither used nor stored', '203.0.113.7'),
      deprecated: true,
    }),
  },
  { title: 'NewCheckout' },
);
export type NewCheckout = Static<typeof NewCheckout>;

const payUrlText = {
  description: 'Send the customer here to pay',
  examples: ['https://pay.example/6c1f4a3e-8a5a-4b7e-9d53-0f2c9f5a7c22'],
};

const checkoutFields = {
  orderId: Uuid('Id of the order'),
  status: StringEnum(checkoutStatuses, {
    title: 'CheckoutStatus',
    description:
      'State of the payment. While it is PENDING and a link was made for it: CANCELLED or EXPIRED if the link is no longer valid',
  }),
  ...formerNames,
  payUrl: Nullable(
    Type.String({ ...payUrlText, description: `${payUrlText.description}. Null if there is no valid link` }),
  ),
  expiresAt: Nullable(Timestamp('When the link expires. Null if there is no valid link')),
  amount: Amount('What the customer pays: the total of the order'),
  currency: Currency(),
  returnUrl: Nullable(
    Type.String({ description: returnUrlText, examples: ['https://shop.example/orders/7'] }),
  ),
};

export const Checkout = Type.Object(checkoutFields, {
  title: 'Checkout',
  description: 'The payment of an order at the payment provider',
});
export type Checkout = Static<typeof Checkout>;

export const OpenCheckout = Type.Object(
  { ...checkoutFields, payUrl: Type.String(payUrlText), expiresAt: Timestamp('When the link expires') },
  { title: 'OpenCheckout', description: 'A checkout with a valid link' },
);
export type OpenCheckout = Static<typeof OpenCheckout>;

export const PaymentReport = Type.Object(
  {
    reference: Uuid('The reference in the link of the checkout'),
    status: StringEnum(reportedPaymentStatuses, { description: 'New state of the payment' }),
    amount: AmountInput(
      'What was paid, which must be the total of the order. With `REFUNDED`: what was refunded, all of it or a part',
    ),
    currency: Currency(),
  },
  { title: 'PaymentReport', description: 'What a payment provider reports' },
);
export type PaymentReport = Static<typeof PaymentReport>;

export const PaymentReportResult = Type.Object(
  {
    reference: Uuid('The reference of the report'),
    status: StringEnum(paymentStatuses, { description: 'State of the payment after the report' }),
  },
  { title: 'PaymentReportResult' },
);
export type PaymentReportResult = Static<typeof PaymentReportResult>;
