import { webhookOperations } from '@keyfront/protocol';
import type { Database } from '../../database/database.ts';
import type { OperationRouter } from '../../pipeline/operation-router.ts';
import { getDeliveryList, replayEvents, retryDelivery, testWebhook } from './delivery/delivery-rules.ts';
import {
  changeWebhook,
  checkWebhook,
  createWebhook,
  deleteWebhook,
  getWebhook,
  getWebhookList,
  rotateSecret,
  type WebhookDependencies,
} from './webhook-rules.ts';

export function addWebhookRoutes(
  router: OperationRouter,
  database: Database,
  dependencies: WebhookDependencies,
): void {
  router.add(
    webhookOperations.createWebhook,
    ({ scope, body, tx }) => createWebhook(tx, scope, body, dependencies),
    { securityEvent: 'webhook.created', before: ({ body }) => checkWebhook(body, dependencies) },
  );
  router.add(webhookOperations.listWebhooks, ({ scope }) => getWebhookList(database, scope));
  router.add(webhookOperations.getWebhook, ({ scope, parameters }) =>
    getWebhook(database, scope, parameters.webhookId),
  );
  router.add(
    webhookOperations.updateWebhook,
    ({ scope, parameters, body }) => changeWebhook(database, scope, parameters.webhookId, body, dependencies),
    { securityEvent: 'webhook.changed' },
  );
  router.add(
    webhookOperations.deleteWebhook,
    ({ scope, parameters }) => deleteWebhook(database, scope, parameters.webhookId),
    { securityEvent: 'webhook.deleted' },
  );
  router.add(
    webhookOperations.rotateWebhookSecret,
    ({ scope, parameters, tx }) => rotateSecret(tx, database, scope, parameters.webhookId, dependencies),
    { securityEvent: 'webhook.secret_rotated' },
  );
  router.add(webhookOperations.listWebhookDeliveries, ({ scope, parameters, query }) =>
    getDeliveryList(database, scope, parameters.webhookId, query),
  );
  router.add(webhookOperations.retryWebhookDelivery, ({ scope, parameters, tx }) =>
    retryDelivery(tx, database, scope, parameters),
  );
  router.add(webhookOperations.replayWebhook, ({ scope, parameters, body, tx }) =>
    replayEvents(tx, database, scope, parameters.webhookId, body, dependencies.retentionMs),
  );
  router.add(webhookOperations.testWebhook, ({ scope, parameters, tx }) =>
    testWebhook(tx, database, scope, parameters.webhookId),
  );
}
