import { type Static, type TSchema, Type } from 'typebox';
import { Client } from './clients.ts';
import { ApiKey } from './keys.ts';
import { NftSale } from './nft-sales.ts';
import { OrderWithLines, SentShipment } from './orders.ts';
import { Sale } from './sales.ts';
import { Strain } from './strains.ts';
import { textPatterns } from './text-patterns.ts';
import { Transaction } from './transactions.ts';
import { Nullable, Personal, StringEnum, Timestamp, TokenId, Untrusted } from './values.ts';
import { Webhook } from './webhooks.ts';

/** Every type of event, with the schema of its `data` and when it happens. */
export const eventTable = {
  'client.created': { data: Client, when: 'The holder has created a client' },
  'client.updated': { data: Client, when: 'Fields of a client have changed' },
  'client.archived': { data: Client, when: 'The holder has archived a client' },
  'client.approved': { data: Client, when: 'An administrator has approved a client' },
  'client.rejected': { data: Client, when: 'An administrator has rejected a client' },
  'client.kyc_verified': { data: Client, when: 'The identity of a client is verified' },
  'client.kyc_rejected': { data: Client, when: 'The identity check of a client has failed' },
  'order.created': { data: OrderWithLines, when: 'The holder has placed an order' },
  'order.updated': {
    data: OrderWithLines,
    when: 'The holder has changed the reference or the metadata of an order',
  },
  'order.approved': { data: OrderWithLines, when: 'An administrator has approved an order' },
  'order.rejected': { data: OrderWithLines, when: 'An administrator has rejected an order' },
  'order.processing': { data: OrderWithLines, when: 'An order is being processed' },
  'order.shipped': { data: OrderWithLines, when: 'An order was shipped' },
  'order.delivered': { data: OrderWithLines, when: 'An order was delivered' },
  'order.cancelled': {
    data: OrderWithLines,
    when: 'An order was cancelled, by the holder or an administrator',
  },
  'payment.processing': { data: OrderWithLines, when: 'The payment of an order has begun' },
  'payment.paid': { data: OrderWithLines, when: 'An order was paid' },
  'payment.failed': { data: OrderWithLines, when: 'The payment of an order has failed' },
  'payment.refunded': { data: OrderWithLines, when: 'Money was refunded, all of it or a part' },
  'payment.refund_due': {
    data: OrderWithLines,
    when: 'More was paid than the order costs: it is cancelled, or was paid twice',
  },
  'shipment.created': { data: SentShipment, when: 'A parcel of an order was sent' },
  'shipment.updated': { data: SentShipment, when: 'Carrier or tracking of a parcel were corrected' },
  'sale.created': { data: Sale, when: 'The sales pipeline has a new entry' },
  'sale.stage_changed': { data: Sale, when: 'An entry of the sales pipeline has another stage' },
  'strain.created': { data: Strain, when: 'The catalogue has a new strain' },
  'strain.updated': { data: Strain, when: 'An administrator has changed a strain' },
  'strain.out_of_stock': { data: Strain, when: 'A strain has no stock left in a country' },
  'strain.back_in_stock': { data: Strain, when: 'A strain has stock in a country again' },
  'nft_sale.listed': { data: NftSale, when: 'The digital key is for sale' },
  'nft_sale.cancelled': { data: NftSale, when: 'The digital key is no longer for sale' },
  'nft_sale.sold': { data: NftSale, when: 'The digital key was sold' },
  'nft.transferred': { data: Transaction, when: 'The digital key has another owner' },
  'nft.reorganised': { data: Transaction, when: 'The chain has dropped a transaction of the digital key' },
  'key.created': { data: ApiKey, when: 'The holder has created an API key' },
  'key.revoked': { data: ApiKey, when: 'An API key was revoked' },
  'webhook.disabled': { data: Webhook, when: 'A webhook was disabled because its deliveries failed' },
} as const satisfies Record<string, { readonly data: TSchema; readonly when: string }>;

export type EventType = keyof typeof eventTable;
export const eventTypes = Object.keys(eventTable) as EventType[];

/** Whether events of this type are about the catalogue: they go to every digital key, and their `tokenId` is null. */
export const isCatalogueEvent = (type: EventType): boolean => type.startsWith('strain.');

const EventId = (description: string) =>
  Type.String({
    pattern: textPatterns.eventId.pattern,
    description,
    examples: ['evt_000000000bn0000000301ja3dj7e0'],
  });

/** Stands for a value that no event contains: the medical record of a client. */
export const hiddenValue = 'NOT_SHOWN';

/** The value before and after an update, of each field that it changed. */
const EventChanges = Type.Record(
  Type.String(),
  Type.Object(
    {
      from: Type.Unknown({ description: 'Value before the update' }),
      to: Type.Unknown({ description: 'Value after the update' }),
    },
    { title: 'EventChange' },
  ),
  {
    description:
      'The fields that an update changed, each as `{from, to}`, without deprecated ones. The medical record of a client is never shown: for `medicalRecord`, both ' +
      `are \`${hiddenValue}\``,
  },
);

export const Event = Type.Object(
  {
    id: EventId('Id of the event. Later events have greater ids'),
    type: StringEnum(eventTypes, { description: 'What happened', title: 'EventType' }),
    createdAt: Timestamp('When it happened'),
    tokenId: Nullable(
      TokenId(
        'Token id of the digital key. Null for events about the catalogue (`strain.*`), which go to every digital key',
      ),
    ),
    data: Personal(
      Untrusted(
        Type.Record(Type.String(), Type.Unknown(), {
          description: 'The resource at that moment, as its own operation shows it',
        }),
      ),
    ),
    changes: Type.Optional(Personal(Untrusted(EventChanges))),
  },
  { title: 'AnyEvent', description: 'Something that happened to a resource' },
);
export type Event = Static<typeof Event>;

export const maximumEventTake = 1000;
const defaultEventTake = 100;

const typeFilter = Type.Optional(
  Type.String({
    maxLength: 1000,
    description:
      'Only events of these types, separated by commas. `order.*` stands for all types that begin with `order.`.',
    examples: ['order.*,payment.paid'],
  }),
);

export const EventListQuery = Type.Object({
  after: Type.Optional(
    EventId('Only events after the one with this id. Without it, the list begins with the oldest event'),
  ),
  before: Type.Optional(
    EventId(
      'With `orderBy=desc`: only events before the one with this id. Without it, the list begins with the newest event',
    ),
  ),
  orderBy: Type.Optional(
    StringEnum(['asc', 'desc'], {
      description: 'Oldest first (`asc`, the default) or newest first (`desc`)',
    }),
  ),
  type: typeFilter,
  take: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: maximumEventTake,
      default: defaultEventTake,
      description: 'The largest number of events to return',
    }),
  ),
});
export type EventListQuery = Static<typeof EventListQuery>;

export const EventStreamQuery = Type.Object({
  after: Type.Optional(
    EventId(
      'Only events after the one with this id. The header `Last-Event-ID` has precedence. Without both, the stream begins with the next event',
    ),
  ),
  type: typeFilter,
});
export type EventStreamQuery = Static<typeof EventStreamQuery>;

/** The number of events that a query asks for. */
export const eventTakeOf = ({ take = defaultEventTake }: EventListQuery): number => take;

export const EventPage = Type.Object(
  {
    events: Type.Array(Event, { description: 'Oldest first, or newest first with `orderBy=desc`' }),
    hasMore: Type.Boolean({
      description: 'Whether there are events after these, or before them with `orderBy=desc`',
    }),
    nextAfter: Nullable(
      Type.String({
        description:
          'Pass it as `after` to read what comes after these events. Null if there has been no event yet',
      }),
    ),
    nextBefore: Type.Optional(
      Nullable(
        Type.String({
          description: 'Only with `orderBy=desc`: pass it as `before` to read on. Null on the last page',
        }),
      ),
    ),
  },
  { title: 'EventPage' },
);
export type EventPage = Static<typeof EventPage>;

export const EventPath = Type.Object({ eventId: EventId('Id of the event') });
