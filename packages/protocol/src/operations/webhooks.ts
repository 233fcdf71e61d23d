import { defineOperations } from '../operation.ts';
import {
  CreatedWebhook,
  NewWebhook,
  RotatedWebhook,
  Webhook,
  WebhookChange,
  WebhookList,
  WebhookPath,
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
const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';

export const webhookOperations = defineOperations({
  createWebhook: {
    method: 'POST',
    path: '/webhooks',
    access: 'credential',
    tag: 'Webhooks',
    sdk: 'webhooks.create',
    summary: 'Create a webhook',
    description:
      'Sends the events of these types to a URL from now on, as the Standard Webhooks specification says. Only the response ' +
      'contains the secret that deliveries are signed with. A digital key has at most 20 webhooks.',
    status: 201,
    retry: 'idempotency-key',
    body: NewWebhook,
    response: CreatedWebhook,
    responseIsSecret: true,
    errors: ['HOLDER_REQUIRED', 'WEBHOOKS_DISABLED', 'WEBHOOK_LIMIT_REACHED'],
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
    responseIsSecret: true,
    errors: ['HOLDER_REQUIRED', 'NOT_OWNED', 'WEBHOOKS_DISABLED'],
    example: {
      parameters: { webhookId: ids.webhook },
      response: { ...webhook, secret, previousSecretExpiresAt: '2026-11-16T09:30:00.000Z' },
    },
  },
});
