import { type Static, Type } from 'typebox';
import { maximumCartQuantity, maximumItemsPerRequest } from './carts.ts';
import { textPatterns } from './text-patterns.ts';
import {
  Amount,
  AmountInput,
  Currency,
  FilledText,
  Nullable,
  StringEnum,
  Timestamp,
  Uuid,
} from './values.ts';

/** What happens to an order after it was placed: parcels, payments and refunds. */

const lineQuantities = Type.Array(
  Type.Object(
    {
      id: Uuid('Id of the line'),
      quantity: Type.Integer({ minimum: 1, maximum: maximumCartQuantity, description: 'Number of units' }),
    },
    { title: 'LineQuantity' },
  ),
  { description: 'Which lines, and how many units of each' },
);

/** Lines in a request. */
const LineQuantities = (description: string) =>
  Type.Optional({
    ...lineQuantities,
    minItems: 1,
    maxItems: maximumItemsPerRequest,
    description,
  });

const tracking = {
  carrier: FilledText(100, 'Who carries the parcel', 'CTT Expresso'),
  trackingNumber: FilledText(100, 'Number by which the carrier knows the parcel', 'EA123456789PT'),
  trackingUrl: Type.String({
    format: 'uri',
    pattern: textPatterns.webAddress.pattern,
    maxLength: 2048,
    description: 'Where the customer sees where the parcel is',
    examples: ['https://carrier.example/track/EA123456789PT'],
  }),
};

const shipmentFields = {
  id: Uuid('Id of the shipment'),
  orderId: Uuid('Id of the order'),
  carrier: tracking.carrier,
  trackingNumber: Nullable(tracking.trackingNumber),
  trackingUrl: Nullable(tracking.trackingUrl),
  orderLines: lineQuantities,
  createdAt: Timestamp('When the parcel was sent'),
  updatedAt: Timestamp('When the shipment last changed'),
};

export const Shipment = Type.Object(shipmentFields, {
  title: 'Shipment',
  description: 'A parcel with units of an order',
});
export type Shipment = Static<typeof Shipment>;

export const NewShipment = Type.Object(
  {
    carrier: tracking.carrier,
    trackingNumber: Type.Optional(tracking.trackingNumber),
    trackingUrl: Type.Optional(tracking.trackingUrl),
    orderLines: LineQuantities('What the parcel contains. Without it, everything that has not been sent yet'),
  },
  { title: 'NewShipment' },
);
export type NewShipment = Static<typeof NewShipment>;

export const ShipmentChange = Type.Object(
  {
    carrier: Type.Optional(tracking.carrier),
    trackingNumber: Type.Optional(
      Type.Unsafe<string | null>({ ...tracking.trackingNumber, type: ['string', 'null'] }),
    ),
    trackingUrl: Type.Optional(
      Type.Unsafe<string | null>({ ...tracking.trackingUrl, type: ['string', 'null'] }),
    ),
  },
  { title: 'ShipmentChange', minProperties: 1 },
);
export type ShipmentChange = Static<typeof ShipmentChange>;

export const ShipmentPath = Type.Object({
  orderId: Uuid('Id of the order'),
  shipmentId: Uuid('Id of the shipment'),
});

export const Payment = Type.Object(
  {
    id: Uuid('Id of the payment'),
    amount: Amount('Total of the order'),
    currency: Currency(),
    status: StringEnum(['PROCESSING', 'PAID', 'FAILED', 'REFUNDED'], {
      description: 'State of the payment. REFUNDED when all that the customer has paid was refunded',
    }),
    reference: Nullable(
      Type.String({
        description:
          'The id of the payment at the payment provider. Null if an administrator recorded the payment',
        examples: ['6c1f4a3e-8a5a-4b7e-9d53-0f2c9f5a7c22'],
      }),
    ),
    createdAt: Timestamp('When the payment was begun'),
    paidAt: Nullable(Timestamp('When the money arrived. Null if it has not')),
  },
  { title: 'Payment', description: 'A payment, or an attempt to pay' },
);
export type Payment = Static<typeof Payment>;

export const Refund = Type.Object(
  {
    id: Uuid('Id of the refund'),
    orderId: Uuid('Id of the order'),
    amount: Amount('What went back to the customer'),
    currency: Currency(),
    reason: Type.String({ description: 'Why', examples: ['The jar arrived broken.'] }),
    orderLines: lineQuantities,
    isRestocked: Type.Boolean({ description: 'Whether the units of `orderLines` came back to the stock' }),
    createdAt: Timestamp('When the refund was made'),
  },
  { title: 'Refund', description: 'Money that went back to the customer' },
);
export type Refund = Static<typeof Refund>;

export const NewRefund = Type.Object(
  {
    amount: Type.Optional(AmountInput('What goes back to the customer. Not together with `orderLines`')),
    orderLines: LineQuantities(
      'What is refunded, at the price of the order. Without `amount` and `orderLines`, everything that is left',
    ),
    reason: FilledText(500, 'Why', 'The jar arrived broken.'),
    restock: Type.Optional(
      Type.Boolean({
        description:
          'Whether the refunded units come back to the stock. Not together with `amount`. The default is `false`',
      }),
    ),
  },
  { title: 'NewRefund' },
);
export type NewRefund = Static<typeof NewRefund>;
