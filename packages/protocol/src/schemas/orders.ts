import { type Static, Type } from 'typebox';
import { NewShippingAddress, ShippingAddress } from './addresses.ts';
import { maximumCartQuantity, maximumItemsPerRequest } from './carts.ts';
import { ClientContact } from './clients.ts';
import { Payment, Refund, Shipment } from './fulfilment.ts';
import { MomentFilter } from './moments.ts';
import { CursorPageMeta, pageQueryFields } from './paging.ts';
import { StrainType } from './strains.ts';
import { textPatterns } from './text-patterns.ts';
import {
  AdminApproval,
  Alias,
  Amount,
  AmountInput,
  approvals,
  Count,
  Currency,
  FormerName,
  Metadata,
  MetadataChange,
  NftReference,
  Nullable,
  Personal,
  ReturnUrl,
  StringEnum,
  Text,
  Timestamp,
  TokenFilter,
  Untrusted,
  Uuid,
  YesOrNo,
} from './values.ts';

export const orderStatuses = ['PENDING', 'PROCESSING', 'SHIPPED', 'DELIVERED', 'CANCELLED'] as const;
export type OrderStatus = (typeof orderStatuses)[number];

export const paymentStatuses = ['PENDING', 'PROCESSING', 'PAID', 'FAILED', 'REFUNDED'] as const;
export type PaymentStatus = (typeof paymentStatuses)[number];
/** The payment statuses that a filter accepts. `COMPLETED` is the former name of `PAID`. */
export const paymentStatusFilters = [...paymentStatuses, 'COMPLETED'] as const;

/** When the customer pays: later, by invoice or by a checkout that is opened then, or at once. `LINK` is a former name of `DIRECT`. */
export const paymentFlows = ['INVOICE', 'DIRECT', 'LINK'] as const;
export type PaymentFlow = (typeof paymentFlows)[number];

const OrderStatus = () =>
  StringEnum(orderStatuses, { description: 'Status of the order', title: 'OrderStatus' });
const PaymentStatus = () =>
  StringEnum(paymentStatuses, { description: 'Status of the payment', title: 'PaymentStatus' });

const orderFields = {
  id: Uuid('Id of the order'),
  invoiceNumber: Type.String({
    description: 'Unique invoice number. It does not reveal how many orders there are.',
    examples: ['KF-7Q2M9XH4TB'],
  }),
  orderStatus: OrderStatus(),
  status: FormerName('orderStatus', StringEnum(orderStatuses)),
  paymentStatus: PaymentStatus(),
  adminApproval: AdminApproval(),
  subTotal: Amount('Total of all lines'),
  deliveryCharge: Amount('What the delivery costs'),
  totalAmount: Amount('`subTotal` and `deliveryCharge`'),
  taxRate: Type.Number({
    minimum: 0,
    maximum: 100,
    description: 'Tax rate of the country when the order was placed, in per cent',
    examples: [23],
  }),
  taxAmount: Amount('Tax that `totalAmount` contains'),
  paidAmount: Amount('What the customer has paid'),
  refundedAmount: Amount('What was refunded to the customer'),
  refundDue: Amount(
    'What the customer has paid beyond what the order costs: everything if it is cancelled, the second payment if it was paid twice',
  ),
  totalQuantity: Type.Integer({ description: 'Total number of units', examples: [6] }),
  currency: Currency(),
  externalReference: Untrusted(
    Type.String({ description: 'Id of the order in another system, or empty', examples: ['shop-4711'] }),
  ),
  metadata: Metadata(),
  createdAt: Timestamp('When the order was placed'),
  updatedAt: Timestamp('When the order last changed'),
  client: ClientContact,
  nft: NftReference,
};

const externalReferenceInput = (description: string, minLength = 0) =>
  Type.Optional(Type.String({ minLength, maxLength: 100, description, examples: ['shop-4711'] }));

const rejectionNote = Nullable(Type.String({ description: 'Why the order was rejected' }));

export const Order = Type.Object(orderFields, { title: 'Order' });
export type Order = Static<typeof Order>;

const productAmount = Amount('Price of one unit when the order was placed');

export const OrderLine = Type.Object(
  {
    id: Uuid('Id of the line'),
    quantity: Type.Integer({ minimum: 1, description: 'Number of units' }),
    productAmount,
    unitPrice: FormerName('productAmount', productAmount),
    totalAmount: Amount('`productAmount` times `quantity`'),
    strain: Type.Object(
      {
        id: Uuid('Id of the strain'),
        name: Type.String({ description: 'Name of the strain when the order was placed' }),
        type: StrainType(),
        imageUrl: Nullable(Type.String({ format: 'uri', description: 'URL of the image' })),
      },
      { title: 'OrderedStrain' },
    ),
  },
  { title: 'OrderLine' },
);
export type OrderLine = Static<typeof OrderLine>;

const orderWithLinesFields = {
  ...orderFields,
  rejectionNote,
  note: Nullable(Untrusted(Type.String({ description: 'Note of the customer' }))),
  shipping: Nullable(ShippingAddress),
  orderLines: Type.Array(OrderLine, { description: 'What was ordered' }),
};

export const OrderWithLines = Type.Object(orderWithLinesFields, { title: 'OrderWithLines' });
export type OrderWithLines = Static<typeof OrderWithLines>;

export const CreatedOrder = Type.Object(
  {
    ...orderWithLinesFields,
    payUrl: Type.Optional(
      Type.String({
        description:
          'Send the customer here to pay. Only with `paymentFlow` `DIRECT`, or its former name `LINK`',
        examples: ['https://pay.example/6c1f4a3e-8a5a-4b7e-9d53-0f2c9f5a7c22'],
      }),
    ),
  },
  { title: 'CreatedOrder' },
);
export type CreatedOrder = Static<typeof CreatedOrder>;

/** What an event tells about a shipment, so that a storefront can write to the customer. */
export const SentShipment = Type.Object(
  {
    ...Shipment.properties,
    invoiceNumber: orderFields.invoiceNumber,
    externalReference: orderFields.externalReference,
    client: ClientContact,
  },
  { title: 'SentShipment', description: 'A shipment with its order and client' },
);
export type SentShipment = Static<typeof SentShipment>;

export const OrderDetails = Type.Object(
  {
    ...orderWithLinesFields,
    client: Type.Object(
      {
        ...ClientContact.properties,
        shippings: Type.Array(ShippingAddress, {
          description: 'All addresses of the client, the default first',
        }),
      },
      { title: 'OrderingClient' },
    ),
    payments: Type.Array(Payment, { description: 'Payments and attempts to pay, oldest first' }),
    refunds: Type.Array(Refund, { description: 'Refunds, oldest first' }),
    shipments: Type.Array(Shipment, { description: 'Parcels, oldest first' }),
    orderDetails: Type.Object(orderWithLinesFields, {
      deprecated: true,
      description: 'The same order again, for older storefronts',
    }),
  },
  { title: 'OrderDetails' },
);
export type OrderDetails = Static<typeof OrderDetails>;

export const AdminOrder = Type.Object(
  { ...orderFields, rejectionNote },
  { title: 'AdminOrder', description: 'An order as administrators see it in a list' },
);
export type AdminOrder = Static<typeof AdminOrder>;

export const OrderPath = Type.Object({ orderId: Uuid('Id of the order') });

const OrderItem = Type.Object(
  {
    strainId: Type.Optional(Uuid('Id of the strain')),
    productId: Alias('strainId', Uuid('')),
    quantity: Type.Integer({
      minimum: 1,
      maximum: maximumCartQuantity,
      description: 'Number of units',
      examples: [2],
    }),
    price: Type.Optional(
      AmountInput(
        'Price of one unit that the customer has seen. If it is not the current price, the order fails',
      ),
    ),
  },
  { title: 'OrderItem', anyOf: [{ required: ['strainId'] }, { required: ['productId'] }] },
);

export const NewOrder = Type.Object(
  {
    clientId: Uuid('Id of the client who orders'),
    items: Type.Optional(
      Type.Array(OrderItem, {
        minItems: 1,
        maxItems: maximumItemsPerRequest,
        description:
          'What to order. The order contains exactly these items, and the cart stays as it is. Without `items` the cart ' +
          'becomes the order.',
      }),
    ),
    shippingAddress: Type.Optional({
      ...NewShippingAddress,
      title: 'OrderAddress',
      description:
        'Address to ship to. It needs a street, and a country by `countryCode` or `country`. The default is the address of the ' +
        'client.',
    }),
    note: Type.Optional(Text(1000, 'Note of the customer', 'Please ring twice.')),
    externalReference: externalReferenceInput(
      'Id of the order in another system. No other order of the digital key may have it',
    ),
    metadata: MetadataChange(),
    paymentFlow: Type.Optional(
      StringEnum(paymentFlows, {
        description:
          '`DIRECT` opens a checkout together with the order, and adds `payUrl` to the response. The default is `INVOICE`. `LINK` is deprecated: it is the same as `DIRECT`.',
      }),
    ),
    returnUrl: Type.Optional(
      ReturnUrl('Where the customer returns to after the payment. Only with `paymentFlow` `DIRECT`.'),
    ),
  },
  { title: 'NewOrder' },
);
export type NewOrder = Static<typeof NewOrder>;

/** Whether the customer is to pay at once. */
export function paysDirectly({ paymentFlow }: NewOrder): boolean {
  return paymentFlow === 'DIRECT' || paymentFlow === 'LINK';
}

export const OrderChange = Type.Object(
  {
    orderStatus: Type.Optional(
      StringEnum(['CANCELLED'], { description: 'Cancels the order. The holder may set no other status' }),
    ),
    externalReference: externalReferenceInput(
      'Id of the order in another system. No other order of the digital key may have it. Empty removes it',
    ),
    metadata: MetadataChange(),
  },
  { title: 'OrderChange', minProperties: 1 },
);
export type OrderChange = Static<typeof OrderChange>;

export const AdminOrderChange = Type.Object(
  {
    adminApproval: Type.Optional(AdminApproval()),
    orderStatus: Type.Optional(OrderStatus()),
    paymentStatus: Type.Optional(PaymentStatus()),
    rejectionNote: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 1000,
        pattern: textPatterns.notBlank.pattern,
        description: 'Why the order is rejected',
        examples: ['Payment could not be verified.'],
      }),
    ),
  },
  { title: 'AdminOrderChange', minProperties: 1 },
);
export type AdminOrderChange = Static<typeof AdminOrderChange>;

/** Fields that a list of orders can be sorted by. */
export const orderSortFields = ['createdAt', 'updatedAt', 'totalAmount', 'invoiceNumber'] as const;
export type OrderSortField = (typeof orderSortFields)[number];

export const orderSorts = [
  'asc',
  'desc',
  ...orderSortFields.flatMap((field) => [field, `${field}:asc`, `${field}:desc`] as const),
] as const;
export const orderSearchFields = ['clientName', 'email', 'invoiceNumber'] as const;

const descriptions = {
  orderBy: 'Sort order. `asc` and `desc` alone sort by creation. The default is the newest first.',
  search: 'Text to search for, case-insensitive',
  searchBy: 'Field to search in. The default is all three.',
  status: 'Only orders with this status',
  paymentStatus: 'Only orders with this payment status. `COMPLETED` is the former name of `PAID`.',
  adminApproval: 'Only orders with this approval',
  startDate: 'Only orders placed then or later.',
  endDate: 'Only orders placed then or earlier; a date includes that day.',
};
const orNoFilter = (description: string) =>
  `${description} Empty: no filter.`.replace(/([^.])( Empty)/, '$1.$2');

/** All eight parameters are required; an empty value means no filter. */
const exportFields = {
  orderBy: StringEnum(['', ...orderSorts], { description: descriptions.orderBy }),
  startDate: MomentFilter(orNoFilter(descriptions.startDate)),
  endDate: MomentFilter(orNoFilter(descriptions.endDate)),
  search: Type.String({ maxLength: 200, description: orNoFilter(descriptions.search) }),
  searchBy: StringEnum(['', ...orderSearchFields], { description: descriptions.searchBy }),
  status: StringEnum(['', ...orderStatuses], { description: orNoFilter(descriptions.status) }),
  paymentStatus: StringEnum(['', ...paymentStatusFilters], {
    description: orNoFilter(descriptions.paymentStatus),
  }),
  adminApproval: StringEnum(['', ...approvals], { description: orNoFilter(descriptions.adminApproval) }),
};

const cursorField = {
  cursor: Type.Optional(
    Type.String({
      maxLength: 500,
      description:
        'The `nextCursor` of the previous page. Continues after that page in constant time; `page` is ignored.',
    }),
  ),
};

export const OrderExportQuery = Type.Object({ ...pageQueryFields, ...cursorField, ...exportFields });
export type OrderExportQuery = Static<typeof OrderExportQuery>;

/** A file has no pages, so it takes no paging parameters. */
export const OrderExportFileQuery = Type.Object(exportFields);
export type OrderExportFileQuery = Static<typeof OrderExportFileQuery>;

const listFields = {
  ...pageQueryFields,
  ...cursorField,
  orderBy: Type.Optional(StringEnum(orderSorts, { description: descriptions.orderBy })),
  startDate: Type.Optional(MomentFilter(descriptions.startDate)),
  endDate: Type.Optional(MomentFilter(descriptions.endDate)),
  search: Type.Optional(Personal(Type.String({ maxLength: 200, description: descriptions.search }))),
  searchBy: Type.Optional(StringEnum(orderSearchFields, { description: descriptions.searchBy })),
  status: Type.Optional(StringEnum(orderStatuses, { description: descriptions.status })),
  paymentStatus: Type.Optional(StringEnum(paymentStatusFilters, { description: descriptions.paymentStatus })),
  adminApproval: Type.Optional(StringEnum(approvals, { description: descriptions.adminApproval })),
  clientId: Type.Optional(Uuid('Only orders of this client')),
  externalReference: externalReferenceInput('Only the order with this reference', 1),
  refundDue: YesOrNo('Only orders with a refund due (`true`), or without one (`false`)'),
  clientIds: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 10_000,
      description: 'Only orders of these clients: a JSON array of ids, or ids separated by commas',
    }),
  ),
};

export const OrderListQuery = Type.Object(listFields);
export type OrderListQuery = Static<typeof OrderListQuery>;

export const AdminOrderListQuery = Type.Object({
  ...listFields,
  tokenId: TokenFilter('Only orders of this digital key'),
});
export type AdminOrderListQuery = Static<typeof AdminOrderListQuery>;

export const OrderPage = Type.Object(
  { orders: Type.Array(Order), pageMetaDto: CursorPageMeta },
  { title: 'OrderPage' },
);
export type OrderPage = Static<typeof OrderPage>;

export const AdminOrderPage = Type.Object(
  { orders: Type.Array(AdminOrder), pageMetaDto: CursorPageMeta },
  { title: 'AdminOrderPage' },
);
export type AdminOrderPage = Static<typeof AdminOrderPage>;

const countsOf = <const Name extends string>(names: readonly Name[]) =>
  Type.Object(
    Object.fromEntries(names.map((name) => [name, Count(`Orders that are ${name}`)])) as Record<
      Name,
      ReturnType<typeof Count>
    >,
  );

export const OrderSummary = Type.Object(
  {
    total: Count('All orders, including cancelled ones'),
    totalQuantity: Count('Units in orders that are not cancelled'),
    revenue: Type.Array(
      Type.Object({ currency: Currency(), amount: Amount('Total of orders that are not cancelled') }),
    ),
    paidRevenue: Type.Array(
      Type.Object({
        currency: Currency(),
        amount: Amount('Total of those that are paid. What was refunded of one counts until all of it is'),
      }),
    ),
    orderStatus: countsOf(orderStatuses),
    paymentStatus: countsOf(paymentStatuses),
    adminApproval: countsOf(approvals),
  },
  { title: 'OrderSummary' },
);
export type OrderSummary = Static<typeof OrderSummary>;

/** What an operation with a page to print returns in place of JSON. */
export const PrintedPage = Type.String({ description: 'A page in HTML' });

export const PackingSlipQuery = Type.Object({
  shipmentId: Type.Optional(Uuid('The parcel. Without it, what has not been sent yet')),
});
export type PackingSlipQuery = Static<typeof PackingSlipQuery>;

export const OrderHistory = Type.Object(
  {
    history: Type.Array(
      Type.Object(
        {
          orderStatus: OrderStatus(),
          paymentStatus: PaymentStatus(),
          adminApproval: AdminApproval(),
          rejectionNote,
          changedAt: Timestamp('When the order entered this state'),
          author: StringEnum(['HOLDER', 'ADMINISTRATOR', 'SERVICE'], { description: 'Who made the change' }),
        },
        { title: 'OrderHistoryEntry' },
      ),
      { description: 'Oldest first' },
    ),
  },
  { title: 'OrderHistory' },
);
export type OrderHistory = Static<typeof OrderHistory>;

export const chartIntervals = ['day', 'week', 'month'] as const;
export type ChartInterval = (typeof chartIntervals)[number];
export const maximumChartPoints = 1000;

export const OrderChartQuery = Type.Object({
  startDate: Type.Optional(MomentFilter('First day, in UTC. The default is 30 days ago.')),
  endDate: Type.Optional(MomentFilter('Last day, in UTC. The default is today.')),
  interval: Type.Optional(
    StringEnum(chartIntervals, { description: 'The period that one point covers', default: 'day' }),
  ),
  currency: Type.Optional(
    Type.String({
      pattern: textPatterns.currency.pattern,
      description: 'Only orders in this currency. The default is the currency of most orders.',
    }),
  ),
});
export type OrderChartQuery = Static<typeof OrderChartQuery>;

const day = (description: string) => Type.String({ format: 'date', description, examples: ['2026-11-15'] });

export const OrderChart = Type.Object(
  {
    interval: StringEnum(chartIntervals, { description: 'The period that one point covers' }),
    startDate: day('First day'),
    endDate: day('Last day'),
    currency: Nullable(Currency()),
    points: Type.Array(
      Type.Object(
        {
          date: day('First day of the interval'),
          orders: Type.Integer({ description: 'Number of orders placed' }),
          revenue: Amount('Total of those orders that are not cancelled'),
        },
        { title: 'OrderChartPoint' },
      ),
    ),
  },
  { title: 'OrderChart' },
);
export type OrderChart = Static<typeof OrderChart>;
