import { defineOperations } from '../operation.ts';
import {
  CreatedWebhook,
  DeliveryListQuery,
  DeliveryPath,
  NewWebhook,
  RotatedWebhook,
  Webhook,
  WebhookChange,
  WebhookDelivery,
  WebhookDeliveryList,
  WebhookList,
  WebhookPath,
  WebhookReplay,
  webhookTestType,
} from '../schemas/webhooks.ts';
import { createdAt, ids } from './examples.ts';

const input = {
  url: 'https://storefront.example/hooks/keyfront',
  eventTypes: ['order.*', 'payment.paid'],
  description: 'Orders to the warehouse',
};
const webhook = {
  id: ids.webhook,
  ...input,
  isEnabled: true,
  disabledReason: null,
  failingSince: null,
  createdAt,
  updatedAt: createdAt,
};
const delivery = {
  id: ids.delivery,
  webhookId: ids.webhook,
  eventId: ids.event,
  eventType: 'order.created',
  status: 'DELIVERED',
  attempts: 1,
  nextAttemptAt: null,
  attemptedAt: createdAt,
  responseStatus: 200,
  durationMs: 84,
  responseBody: 'ok',
  failure: null,
  createdAt,
};
const pending = {
  ...delivery,
  status: 'PENDING',
  attempts: 0,
  nextAttemptAt: createdAt,
  attemptedAt: null,
  responseStatus: null,
  durationMs: null,
  responseBody: null,
};
/** Whoever decides what is sent where can read the events. */
const sendingScopes = ['events:read'];
const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';

export const webhookOperations = defineOperations({
  createWebhook: {
    method: 'POST',
    path: '/webhooks',
    access: 'credential',
    tag: 'Webhooks',
    sdk: 'webhooks.create',
    furtherScopes: sendingScopes,
    summary: 'Create a webhook',
    description:
      'Sends the events of these types to a URL from now on, as the Standard Webhooks specification says. Only the response ' +
      'contains the secret that deliveries are signed with. A digital key has at most 20 webhooks. A webhook belongs to the digital key: it ' +
      'outlives the API key that has created it.',
    status: 201,
    retry: 'idempotency-key',
    body: NewWebhook,
    response: CreatedWebhook,
    errors: ['HOLDER_REQUIRED', 'WEBHOOKS_DISABLED', 'WEBHOOK_LIMIT_REACHED'],
    // Counts the webhooks, and inserts one.
    roundTrips: 3,
    example: { body: input, response: { ...webhook, secret } },
  },

  listWebhooks: {
    method: 'GET',
    path: '/webhooks',
    access: 'credential',
    tag: 'Webhooks',
    sdk: 'webhooks.list',
    summary: 'List webhooks',
    description: 'Lists the webhooks of the digital key, oldest first.',
    status: 200,
    retry: 'safe',
    response: WebhookList,
    errors: ['HOLDER_REQUIRED'],
    example: { response: { webhooks: [webhook] } },
  },

  getWebhook: {
    method: 'GET',
    path: '/webhooks/{webhookId}',
    access: 'credential',
    tag: 'Webhooks',
    sdk: 'webhooks.get',
    summary: 'Get a webhook',
    status: 200,
    retry: 'safe',
    parameters: WebhookPath,
    response: Webhook,
    errors: ['HOLDER_REQUIRED', 'NOT_OWNED'],
    example: { parameters: { webhookId: ids.webhook }, response: webhook },
  },

  updateWebhook: {
    method: 'PATCH',
    path: '/webhooks/{webhookId}',
    access: 'credential',
    tag: 'Webhooks',
    sdk: 'webhooks.update',
    furtherScopes: sendingScopes,
    summary: 'Change a webhook',
    description:
      'Changes where events are sent, or which. A webhook that is enabled again gets the events that happen from then on. Replay it ' +
      'to get those in between.',
    status: 200,
    retry: 'safe',
    parameters: WebhookPath,
    body: WebhookChange,
    response: Webhook,
    errors: ['HOLDER_REQUIRED', 'NOT_OWNED'],
    example: {
      parameters: { webhookId: ids.webhook },
      body: { isEnabled: false },
      response: { ...webhook, isEnabled: false, disabledReason: 'HOLDER' },
    },
  },

  deleteWebhook: {
    method: 'DELETE',
    path: '/webhooks/{webhookId}',
    access: 'credential',
    tag: 'Webhooks',
    sdk: 'webhooks.delete',
    summary: 'Delete a webhook',
    description: 'Deletes a webhook. Events that were not delivered yet are not sent any more.',
    status: 200,
    retry: 'safe',
    parameters: WebhookPath,
    response: Webhook,
    errors: ['HOLDER_REQUIRED', 'NOT_OWNED'],
    example: { parameters: { webhookId: ids.webhook }, response: webhook },
  },

  rotateWebhookSecret: {
    method: 'POST',
    path: '/webhooks/{webhookId}/rotate-secret',
    access: 'credential',
    tag: 'Webhooks',
    sdk: 'webhooks.rotateSecret',
    summary: 'Replace the secret of a webhook',
    description:
      'Makes a new secret. For 24 hours, deliveries have two signatures: one with the new secret, and one with the previous one.',
    status: 201,
    retry: 'idempotency-key',
    parameters: WebhookPath,
    response: RotatedWebhook,
    errors: ['HOLDER_REQUIRED', 'NOT_OWNED', 'WEBHOOKS_DISABLED'],
    example: {
      parameters: { webhookId: ids.webhook },
      response: { ...webhook, secret, previousSecretExpiresAt: '2026-11-16T09:30:00.000Z' },
    },
  },

  listWebhookDeliveries: {
    method: 'GET',
    path: '/webhooks/{webhookId}/deliveries',
    access: 'credential',
    tag: 'Webhooks',
    sdk: 'webhooks.listDeliveries',
    summary: 'List deliveries',
    description:
      'Lists what was sent to a webhook, newest first, with the status, the duration and the first 1 KiB of the latest response. ' +
      'To read on, pass the id of the last one as `before`. Deliveries are kept as long as events.',
    status: 200,
    retry: 'safe',
    parameters: WebhookPath,
    query: DeliveryListQuery,
    response: WebhookDeliveryList,
    errors: ['HOLDER_REQUIRED', 'NOT_OWNED'],
    example: {
      parameters: { webhookId: ids.webhook },
      response: { deliveries: [delivery], hasMore: false },
    },
  },

  retryWebhookDelivery: {
    method: 'POST',
    path: '/webhooks/{webhookId}/deliveries/{deliveryId}/retry',
    access: 'credential',
    tag: 'Webhooks',
    sdk: 'webhooks.retryDelivery',
    furtherScopes: sendingScopes,
    summary: 'Retry a delivery',
    description: 'Sends an event again now, also one that was delivered or has failed.',
    status: 200,
    retry: 'idempotency-key',
    parameters: DeliveryPath,
    response: WebhookDelivery,
    erasedWith: 'id',
    errors: ['HOLDER_REQUIRED', 'NOT_OWNED', 'WEBHOOK_NOT_ENABLED'],
    roundTrips: 3,
    example: {
      parameters: { webhookId: ids.webhook, deliveryId: ids.delivery },
      response: { ...pending, attempts: 10 },
    },
  },

  replayWebhook: {
    method: 'POST',
    path: '/webhooks/{webhookId}/replay',
    access: 'credential',
    tag: 'Webhooks',
    sdk: 'webhooks.replay',
    furtherScopes: sendingScopes,
    summary: 'Replay events',
    description:
      'Sends all events again that happened after the given one, or since the given time, and that the webhook wants. They come with the ' +
      'same `webhook-id`. ' +
      'A webhook has one replay at a time.',
    status: 200,
    retry: 'idempotency-key',
    parameters: WebhookPath,
    body: WebhookReplay,
    response: Webhook,
    errors: [
      'HOLDER_REQUIRED',
      'NOT_OWNED',
      'WEBHOOK_NOT_ENABLED',
      'WEBHOOK_BUSY',
      'EVENTS_EXPIRED',
      'EVENT_POSITION_UNKNOWN',
    ],
    example: {
      parameters: { webhookId: ids.webhook },
      body: { after: ids.event },
      response: webhook,
    },
  },

  testWebhook: {
    method: 'POST',
    path: '/webhooks/{webhookId}/test',
    access: 'credential',
    tag: 'Webhooks',
    sdk: 'webhooks.test',
    summary: 'Test a webhook',
    description:
      'Sends a message of the type `webhook.test` once, signed like an event. The list of deliveries shows the result.',
    status: 201,
    retry: 'idempotency-key',
    parameters: WebhookPath,
    response: WebhookDelivery,
    errors: ['HOLDER_REQUIRED', 'NOT_OWNED', 'WEBHOOK_NOT_ENABLED', 'WEBHOOK_BUSY'],
    roundTrips: 3,
    example: {
      parameters: { webhookId: ids.webhook },
      response: { ...pending, eventId: null, eventType: webhookTestType },
    },
  },
});
