import { type Static, Type } from 'typebox';
import { MomentFilter } from './moments.ts';
import { textPatterns } from './text-patterns.ts';
import { Nullable, Secret, StringEnum, Timestamp, Untrusted, Uuid } from './values.ts';

/** How many webhooks a digital key may have. */
export const maximumWebhooks = 20;
/** How long the URL of a webhook may be, also in its normalized form. */
export const maximumWebhookUrlLength = 2000;
/** Deliveries of a webhook that are not sent yet. Beyond them, a replay waits, and no further one and no test is accepted. */
export const maximumPendingDeliveries = 1_000;
/** How long the old secret of a webhook stays valid after a new one was made. */
export const secretOverlapMs = 24 * 60 * 60_000;

/** Why a webhook is disabled: by its holder, because the endpoint has answered 410, or because every delivery failed for five days. */
export const disabledReasons = ['HOLDER', 'GONE', 'FAILING'] as const;
export type DisabledReason = (typeof disabledReasons)[number];

const urlText = {
  description:
    'Where events are sent: an https URL whose host has a public address. A demo also accepts http and https URLs of this machine, ' +
    'such as `http://localhost:4000/hook`. Responses have the URL in its normalized form: host in lower case, path percent-encoded.',
  examples: ['https://storefront.example/hooks/keyfront'],
};
const eventTypesText = {
  description:
    'Which events are sent. `order.*` stands for all types that begin with `order.`, and `*` for all types.',
  examples: [['order.*', 'payment.paid']],
};
const descriptionText = { description: 'What the webhook is for', examples: ['Orders to the warehouse'] };
const enabledText = { description: 'Whether events are sent' };

const inputFields = {
  url: Type.String({ minLength: 1, maxLength: maximumWebhookUrlLength, ...urlText }),
  eventTypes: Type.Array(Type.String({ pattern: textPatterns.eventPattern.pattern }), {
    minItems: 1,
    maxItems: 100,
    ...eventTypesText,
  }),
  description: Type.Unsafe<string | null>({
    type: ['string', 'null'],
    maxLength: 200,
    ...descriptionText,
  }),
};

export const Webhook = Type.Object(
  {
    id: Uuid('Id of the webhook'),
    url: Untrusted(Type.String(urlText)),
    eventTypes: Type.Array(Type.String(), eventTypesText),
    description: Nullable(Untrusted(Type.String(descriptionText))),
    isEnabled: Type.Boolean(enabledText),
    disabledReason: Nullable(
      StringEnum(disabledReasons, {
        description:
          'Why no events are sent: `HOLDER` has disabled the webhook, its endpoint is `GONE` (410), or all deliveries were ' +
          '`FAILING` for five days. Null if they are sent',
        title: 'WebhookDisabledReason',
      }),
    ),
    failingSince: Nullable(
      Timestamp('The first failed attempt since the last success. Null if the latest attempt has succeeded'),
    ),
    createdAt: Timestamp('When the webhook was created'),
    updatedAt: Timestamp('When the webhook last changed'),
  },
  { title: 'Webhook', description: 'An endpoint of the holder that events are sent to' },
);
export type Webhook = Static<typeof Webhook>;

const secret = Secret(
  Type.String({
    description:
      'Signs deliveries as the Standard Webhooks specification says. Only this response contains it: the service stores it encrypted.',
    examples: ['whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'],
  }),
);

export const CreatedWebhook = Type.Object({ ...Webhook.properties, secret }, { title: 'CreatedWebhook' });
export type CreatedWebhook = Static<typeof CreatedWebhook>;

export const RotatedWebhook = Type.Object(
  {
    ...CreatedWebhook.properties,
    previousSecretExpiresAt: Timestamp('Until then, deliveries are signed with the previous secret as well'),
  },
  { title: 'RotatedWebhook' },
);
export type RotatedWebhook = Static<typeof RotatedWebhook>;

export const NewWebhook = Type.Object(
  {
    url: inputFields.url,
    eventTypes: inputFields.eventTypes,
    description: Type.Optional(inputFields.description),
    isEnabled: Type.Optional(Type.Boolean({ default: true, ...enabledText })),
  },
  { title: 'NewWebhook' },
);
export type NewWebhook = Static<typeof NewWebhook>;

export const WebhookChange = Type.Object(
  {
    url: Type.Optional(inputFields.url),
    eventTypes: Type.Optional(inputFields.eventTypes),
    description: Type.Optional(inputFields.description),
    isEnabled: Type.Optional(Type.Boolean(enabledText)),
  },
  { title: 'WebhookChange', minProperties: 1 },
);
export type WebhookChange = Static<typeof WebhookChange>;

export const WebhookList = Type.Object(
  { webhooks: Type.Array(Webhook, { description: 'Oldest first' }) },
  { title: 'WebhookList' },
);
export type WebhookList = Static<typeof WebhookList>;

export const WebhookPath = Type.Object({ webhookId: Uuid('Id of the webhook') });

/** The type of the message that a test sends. It is no type of event. */
export const webhookTestType = 'webhook.test';

export const WebhookTestData = Type.Object(
  { webhookId: Uuid('Id of the webhook that is tested') },
  { title: 'WebhookTestData', description: 'What the message of a test is about' },
);

export const deliveryStatuses = ['PENDING', 'DELIVERED', 'FAILED'] as const;
export type DeliveryStatus = (typeof deliveryStatuses)[number];

export const WebhookDelivery = Type.Object(
  {
    id: Uuid('Id of the delivery'),
    webhookId: Uuid('Id of the webhook'),
    eventId: Nullable(Type.String({ description: 'Id of the event. Null for a test' })),
    eventType: Type.String({ description: 'Type of the event', examples: ['order.created'] }),
    status: StringEnum(deliveryStatuses, {
      description:
        '`PENDING` until the endpoint has accepted it (`DELIVERED`), or until the last attempt has failed (`FAILED`)',
      title: 'DeliveryStatus',
    }),
    attempts: Type.Integer({ minimum: 0, description: 'Attempts so far', examples: [1] }),
    nextAttemptAt: Nullable(Timestamp('When the next attempt comes')),
    attemptedAt: Nullable(Timestamp('When the latest attempt ended')),
    responseStatus: Nullable(
      Type.Integer({ description: 'Status of the latest response. Null if there was none', examples: [200] }),
    ),
    durationMs: Nullable(
      Type.Integer({ description: 'Duration of the latest attempt in milliseconds', examples: [84] }),
    ),
    responseBody: Nullable(Untrusted(Type.String({ description: 'The first 1 KiB of the latest response' }))),
    failure: Nullable(Type.String({ description: 'Why the latest attempt failed. Null if it did not' })),
    createdAt: Timestamp('When the delivery was created'),
  },
  { title: 'WebhookDelivery', description: 'One event on its way to one webhook' },
);
export type WebhookDelivery = Static<typeof WebhookDelivery>;

const defaultDeliveryTake = 20;

export const DeliveryListQuery = Type.Object({
  before: Type.Optional(Uuid('Only deliveries before the one with this id')),
  status: Type.Optional(StringEnum(deliveryStatuses, { description: 'Only deliveries with this status' })),
  take: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: 100,
      default: defaultDeliveryTake,
      description: 'The largest number of deliveries to return',
    }),
  ),
});
export type DeliveryListQuery = Static<typeof DeliveryListQuery>;

/** The number of deliveries that a query asks for. */
export const deliveryTakeOf = ({ take = defaultDeliveryTake }: DeliveryListQuery): number => take;

export const WebhookDeliveryList = Type.Object(
  {
    deliveries: Type.Array(WebhookDelivery, { description: 'Newest first' }),
    hasMore: Type.Boolean({ description: 'Whether there are deliveries before these' }),
  },
  { title: 'WebhookDeliveryList' },
);
export type WebhookDeliveryList = Static<typeof WebhookDeliveryList>;

export const DeliveryPath = Type.Object({
  webhookId: Uuid('Id of the webhook'),
  deliveryId: Uuid('Id of the delivery'),
});

export const WebhookReplay = Type.Object(
  {
    after: Type.Optional(
      Type.String({
        pattern: textPatterns.eventId.pattern,
        description: 'Events after the one with this id are sent again',
        examples: ['evt_000000000bn0000000301ja3dj7e0'],
      }),
    ),
    since: Type.Optional(MomentFilter('Instead of `after`: events since then are sent again.')),
  },
  {
    title: 'WebhookReplay',
    description: 'Which events are sent again: `after` or `since`',
    minProperties: 1,
  },
);
export type WebhookReplay = Static<typeof WebhookReplay>;
