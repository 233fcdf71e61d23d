import { type Static, Type } from 'typebox';
import { AdminApproval, approvals } from './approvals.ts';
import { MomentFilter } from './moments.ts';
import { PageMeta, pageQueryFields } from './paging.ts';
import { Currency, Money, Nullable, Timestamp, TokenFilter, Uuid } from './values.ts';

export const orderStatuses = ['PENDING', 'PROCESSING', 'SHIPPED', 'DELIVERED', 'CANCELLED'] as const;
export type OrderStatus = (typeof orderStatuses)[number];

export const paymentStatuses = ['PENDING', 'PROCESSING', 'COMPLETED', 'FAILED', 'REFUNDED'] as const;
export type PaymentStatus = (typeof paymentStatuses)[number];

// With their type, serialisers need not look at a value to write it.
const asText = { type: 'string' } as const;

const orderFields = {
  id: Uuid('Identifies the order'),
  invoiceNumber: Type.String({
    description: 'Unique, and says nothing about others',
    examples: ['KF-7Q2M9XH4TB'],
  }),
  orderStatus: Type.Enum([...orderStatuses], asText),
  paymentStatus: Type.Enum([...paymentStatuses], asText),
  adminApproval: AdminApproval(asText),
  totalAmount: Money('What all lines cost together'),
  totalQuantity: Type.Integer({ description: 'How many units all lines have together', examples: [6] }),
  currency: Currency(),
  createdAt: Timestamp('When it was placed'),
  updatedAt: Timestamp('When it last changed'),
  client: Type.Object({
    id: Uuid('Identifies the client'),
    firstName: Type.String({ examples: ['Ada'] }),
    lastName: Type.String({ examples: ['Example'] }),
    email: Type.String({ examples: ['ada@example.org'] }),
  }),
  nft: Type.Object({
    tokenId: Type.Integer({ description: 'The digital key it belongs to', examples: [1001] }),
  }),
};

const rejectionNote = Nullable(Type.String({ description: 'Why the administrators rejected it' }));

export const Order = Type.Object(orderFields);
export type Order = Static<typeof Order>;

export const OrderLine = Type.Object({
  strainId: Uuid('Identifies the strain'),
  strainName: Type.String({ description: 'As it was called at the moment of the order' }),
  unitPrice: Money('Of the moment of the order'),
  quantity: Type.Integer({ minimum: 1 }),
  lineAmount: Money('Price and quantity together'),
});
export type OrderLine = Static<typeof OrderLine>;

export const OrderWithLines = Type.Object({ ...orderFields, rejectionNote, lines: Type.Array(OrderLine) });
export type OrderWithLines = Static<typeof OrderWithLines>;

/** An order as administrators see it in a list. */
export const AdminOrder = Type.Object({ ...orderFields, rejectionNote });
export type AdminOrder = Static<typeof AdminOrder>;

export const OrderPath = Type.Object({ orderId: Uuid('Identifies the order') });

export const NewOrder = Type.Object({ clientId: Uuid('Whose cart becomes the order') });
export type NewOrder = Static<typeof NewOrder>;

export const AdminOrderChange = Type.Object({
  adminApproval: Type.Optional(AdminApproval()),
  orderStatus: Type.Optional(Type.Enum([...orderStatuses])),
  paymentStatus: Type.Optional(Type.Enum([...paymentStatuses])),
  rejectionNote: Type.Optional(
    Type.String({ minLength: 1, maxLength: 1000, pattern: '\\S', description: 'Why it is rejected' }),
  ),
});
export type AdminOrderChange = Static<typeof AdminOrderChange>;

/** What a list of orders can be sorted by. */
export const orderSortFields = ['createdAt', 'updatedAt', 'totalAmount', 'invoiceNumber'] as const;
export type OrderSortField = (typeof orderSortFields)[number];

const orderBy = Type.Enum(
  ['', 'asc', 'desc', ...orderSortFields.flatMap((field) => [field, `${field}:asc`, `${field}:desc`])],
  { description: 'How to sort; `asc` and `desc` alone are by creation. Empty: the newest first' },
);
const search = Type.String({
  maxLength: 200,
  description: 'Part of what `searchBy` names, in any case. Empty: no search',
});
const searchBy = Type.Enum(['', 'clientName', 'email', 'invoiceNumber'], {
  description: 'Where to search. Empty: in all three',
});
const filterFields = {
  startDate: MomentFilter(
    'Only orders placed then or later: ISO 8601, a date or a date-time. Empty: no limit',
  ),
  endDate: MomentFilter('Only orders placed then or earlier; a date includes that day. Empty: no limit'),
  search,
  searchBy,
  status: Type.Enum(['', ...orderStatuses], { description: 'Only orders of this status. Empty: all' }),
  paymentStatus: Type.Enum(['', ...paymentStatuses], {
    description: 'Only orders with this payment. Empty: all',
  }),
  adminApproval: Type.Enum(['', ...approvals], { description: 'Only orders of this approval. Empty: all' }),
};
const cursorField = {
  cursor: Type.Optional(
    Type.String({
      maxLength: 500,
      description:
        'Goes on after the page whose `nextCursor` it is, in constant time however far; `page` is ignored',
    }),
  ),
};

/** The eight parameters must be there; an empty one is no filter. */
const exportFields = { orderBy, ...filterFields };

export const OrderExportQuery = Type.Object({ ...pageQueryFields, ...cursorField, ...exportFields });
export type OrderExportQuery = Static<typeof OrderExportQuery>;

/** A file has no pages, so their limits do not apply to it. */
export const OrderExportFileQuery = Type.Object(exportFields);
export type OrderExportFileQuery = Static<typeof OrderExportFileQuery>;

const optionalFields = {
  ...pageQueryFields,
  ...cursorField,
  orderBy: Type.Optional(orderBy),
  startDate: Type.Optional(filterFields.startDate),
  endDate: Type.Optional(filterFields.endDate),
  search: Type.Optional(search),
  searchBy: Type.Optional(searchBy),
  status: Type.Optional(filterFields.status),
  paymentStatus: Type.Optional(filterFields.paymentStatus),
  adminApproval: Type.Optional(filterFields.adminApproval),
  clientId: Type.Optional(Uuid('Only the orders of this client')),
};

export const OrderListQuery = Type.Object(optionalFields);
export type OrderListQuery = Static<typeof OrderListQuery>;

export const AdminOrderListQuery = Type.Object({
  ...optionalFields,
  tokenId: TokenFilter('Only the orders of this digital key'),
});
export type AdminOrderListQuery = Static<typeof AdminOrderListQuery>;

const CursorPageMeta = Type.Object({
  ...PageMeta.properties,
  nextCursor: Nullable(
    Type.String({ description: 'Gives the next page as `cursor=…`; null when this is the last one' }),
  ),
});
export type CursorPageMeta = Static<typeof CursorPageMeta>;

export const OrderPage = Type.Object({ orders: Type.Array(Order), pageMetaDto: CursorPageMeta });
export type OrderPage = Static<typeof OrderPage>;

export const AdminOrderPage = Type.Object({ orders: Type.Array(AdminOrder), pageMetaDto: CursorPageMeta });
export type AdminOrderPage = Static<typeof AdminOrderPage>;

const count = () => Type.Integer({ minimum: 0 });
const countsOf = <const Name extends string>(names: readonly Name[]) =>
  Type.Object(
    Object.fromEntries(names.map((name) => [name, count()])) as Record<Name, ReturnType<typeof count>>,
  );

export const OrderSummary = Type.Object({
  total: Type.Integer({ minimum: 0, description: 'How many orders were ever placed' }),
  totalQuantity: Type.Integer({ minimum: 0, description: 'Units in those that are not cancelled' }),
  revenue: Type.Array(
    Type.Object({ currency: Currency(), amount: Money('Of the orders that are not cancelled') }),
  ),
  orderStatus: countsOf(orderStatuses),
  paymentStatus: countsOf(paymentStatuses),
  adminApproval: countsOf(approvals),
});
export type OrderSummary = Static<typeof OrderSummary>;

export const OrderHistory = Type.Object({
  history: Type.Array(
    Type.Object({
      orderStatus: Type.Enum([...orderStatuses]),
      paymentStatus: Type.Enum([...paymentStatuses]),
      adminApproval: AdminApproval(),
      rejectionNote,
      changedAt: Timestamp('Since when it was so'),
      author: Type.Enum(['HOLDER', 'ADMINISTRATOR', 'SERVICE'], { description: 'Who brought it there' }),
    }),
  ),
});
export type OrderHistory = Static<typeof OrderHistory>;

export const chartIntervals = ['day', 'week', 'month'] as const;
export type ChartInterval = (typeof chartIntervals)[number];
export const mostChartPoints = 1000;

export const OrderChartQuery = Type.Object({
  startDate: Type.Optional(MomentFilter('The first day, in UTC; 30 days back when it is not given')),
  endDate: Type.Optional(MomentFilter('The last day, in UTC; today when it is not given')),
  interval: Type.Optional(
    Type.Enum(['', ...chartIntervals], {
      description: 'What a point stands for; `day` when it is not given',
    }),
  ),
  currency: Type.Optional(
    Type.String({
      pattern: '^([A-Z]{3,5})?$',
      description: 'Only orders in this currency; the one most orders are in when it is not given',
    }),
  ),
});
export type OrderChartQuery = Static<typeof OrderChartQuery>;

const day = (description: string) => Type.String({ format: 'date', description, examples: ['2026-11-15'] });

export const OrderChart = Type.Object({
  interval: Type.Enum([...chartIntervals]),
  startDate: day('The first day'),
  endDate: day('The last day'),
  currency: Nullable(Currency()),
  points: Type.Array(
    Type.Object({
      date: day('The first day of the interval: a Monday, or the first of a month'),
      orders: Type.Integer({ description: 'How many orders were placed' }),
      revenue: Money('What those of them cost that are not cancelled'),
    }),
  ),
});
export type OrderChart = Static<typeof OrderChart>;
