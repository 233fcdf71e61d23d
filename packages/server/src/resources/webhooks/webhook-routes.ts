import { webhookOperations } from '@keyfront/protocol';
import type { Database } from '../../database/database.ts';
import type { OperationBinder } from '../../pipeline/operation-router.ts';
import { requireHolder } from '../holders/holder-rules.ts';
import { getDeliveryList, replayEvents, retryDelivery, testWebhook } from './delivery/delivery-rules.ts';
import {
  changeWebhook,
  checkWebhook,
  createWebhook,
  deleteWebhook,
  getWebhook,
  getWebhookList,
  rotateSecret,
  type WebhookParts,
} from './webhook-rules.ts';

export function bindWebhooks(binder: OperationBinder, database: Database, parts: WebhookParts): void {
  binder.bind(
    webhookOperations.createWebhook,
    ({ scope, body, run }) => createWebhook(run, requireHolder(scope), body, parts),
    { securityEvent: 'webhook.created', before: ({ body }) => checkWebhook(body, parts) },
  );
  binder.bind(webhookOperations.listWebhooks, ({ scope }) => getWebhookList(database, requireHolder(scope)));
  binder.bind(webhookOperations.getWebhook, ({ scope, parameters }) =>
    getWebhook(database, requireHolder(scope), parameters.webhookId),
  );
  binder.bind(
    webhookOperations.updateWebhook,
    ({ scope, parameters, body }) =>
      changeWebhook(database, requireHolder(scope), parameters.webhookId, body, parts),
    { securityEvent: 'webhook.changed' },
  );
  binder.bind(
    webhookOperations.deleteWebhook,
    ({ scope, parameters }) => deleteWebhook(database, requireHolder(scope), parameters.webhookId),
    { securityEvent: 'webhook.deleted' },
  );
  binder.bind(
    webhookOperations.rotateWebhookSecret,
    ({ scope, parameters, run }) =>
      rotateSecret(run, database, requireHolder(scope), parameters.webhookId, parts),
    { securityEvent: 'webhook.secret_rotated' },
  );
  binder.bind(webhookOperations.listWebhookDeliveries, ({ scope, parameters, query }) =>
    getDeliveryList(database, requireHolder(scope), parameters.webhookId, query),
  );
  binder.bind(webhookOperations.retryWebhookDelivery, ({ scope, parameters, run }) =>
    retryDelivery(run, database, requireHolder(scope), parameters),
  );
  binder.bind(webhookOperations.replayWebhook, ({ scope, parameters, body, run }) =>
    replayEvents(run, database, requireHolder(scope), parameters.webhookId, body, parts.retentionMs),
  );
  binder.bind(webhookOperations.testWebhook, ({ scope, parameters, run }) =>
    testWebhook(run, database, requireHolder(scope), parameters.webhookId),
  );
}
