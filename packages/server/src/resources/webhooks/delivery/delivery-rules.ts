import {
  type DeliveryListQuery,
  deliveryTakeOf,
  maximumPendingDeliveries,
  parseMoment,
  startOf,
  type Webhook,
  type WebhookDelivery,
  type WebhookDeliveryList,
  type WebhookReplay,
} from '@keyfront/protocol';
import type { Database } from '../../../database/database.ts';
import type { HolderScope } from '../../../database/transactions/scope.ts';
import type { RunInTransaction } from '../../../database/transactions/transaction.ts';
import { ApiError, notFound, validationFailed } from '../../../lib/errors/api-error.ts';
import { parseEventId } from '../../events/event-id.ts';
import { findPositionBefore, isPositionReached, readAfter } from '../../events/event-rules.ts';
import { lockWebhook, startReplay } from '../webhook-queries.ts';
import { getWebhook, throwWebhookNotInScope } from '../webhook-rules.ts';
import { eventIdOf } from './compose-messages.ts';
import {
  type DeliveryRow,
  insertTest,
  listDeliveries,
  readDeliveryLoad,
  retryDeliveryRow,
} from './delivery-queries.ts';

export { deleteUnownedDeliveryBatch, readBacklog } from './delivery-queries.ts';

/** Gets the deliveries of a webhook, newest first. */
export async function getDeliveryList(
  database: Database,
  scope: HolderScope,
  webhookId: string,
  query: DeliveryListQuery,
): Promise<WebhookDeliveryList> {
  const take = deliveryTakeOf(query);
  const filter = { before: query.before ?? null, status: query.status ?? null };
  const rows = await listDeliveries(database, scope, webhookId, filter, take + 1);
  if (rows.length === 0) await getWebhook(database, scope, webhookId);
  return { deliveries: rows.slice(0, take).map(toDelivery), hasMore: rows.length > take };
}

/** Lets a delivery be attempted again now. */
export async function retryDelivery(
  tx: RunInTransaction,
  database: Database,
  scope: HolderScope,
  { webhookId, deliveryId }: { readonly webhookId: string; readonly deliveryId: string },
): Promise<WebhookDelivery> {
  await lockEnabledWebhook(tx, database, scope, webhookId);
  const delivery = await retryDeliveryRow(tx, scope, webhookId, deliveryId);
  if (!delivery) throw notFound('Delivery');
  return toDelivery(delivery);
}

/** Lets the events after the given one, or since the given time, be sent again. */
export async function replayEvents(
  tx: RunInTransaction,
  database: Database,
  scope: HolderScope,
  webhookId: string,
  { after, since = '' }: WebhookReplay,
  retentionMs: number,
): Promise<Webhook> {
  const keptSince = new Date(Date.now() - retentionMs);
  const start = parseMoment(since);
  if ((after === undefined) === (start === null))
    throw validationFailed(['body must have one of the fields after, since']);
  if (after === undefined) {
    const webhook = await lockWebhookWithCapacity(tx, database, scope, webhookId);
    const wanted = start ? startOf(start) : keptSince;
    const position = await findPositionBefore(tx, scope, wanted > keptSince ? wanted : keptSince);
    if (position) startReplay(tx, scope, webhookId, position);
    return webhook;
  }
  // One round trip. What is wrong with the webhook comes before what is wrong with the position, and is known last.
  const [isReached, webhook] = await Promise.all([
    isPositionReached(tx, parseEventId(after)),
    lockWebhookWithCapacity(tx, database, scope, webhookId),
  ]);
  const position = readAfter(after, keptSince);
  if (!isReached) throw new ApiError('EVENT_POSITION_UNKNOWN');
  startReplay(tx, scope, webhookId, position);
  return webhook;
}

/** Lets a test be sent. */
export async function testWebhook(
  tx: RunInTransaction,
  database: Database,
  scope: HolderScope,
  webhookId: string,
): Promise<WebhookDelivery> {
  await lockWebhookWithCapacity(tx, database, scope, webhookId);
  return toDelivery(await insertTest(tx, scope, webhookId));
}

/** Locks a webhook that is enabled. Throws the 409 if it has much to send already. */
async function lockWebhookWithCapacity(
  tx: RunInTransaction,
  database: Database,
  scope: HolderScope,
  id: string,
): Promise<Webhook> {
  // One round trip. The count runs after the lock is granted.
  const [webhook, { isReplaying, pendingCount }] = await Promise.all([
    lockEnabledWebhook(tx, database, scope, id),
    readDeliveryLoad(tx, scope, id, maximumPendingDeliveries),
  ]);
  if (isReplaying || pendingCount >= maximumPendingDeliveries) throw new ApiError('WEBHOOK_BUSY');
  return webhook;
}

async function lockEnabledWebhook(
  tx: RunInTransaction,
  database: Database,
  scope: HolderScope,
  id: string,
): Promise<Webhook> {
  const webhook = (await lockWebhook(tx, scope, id)) ?? (await throwWebhookNotInScope(database, id));
  if (!webhook.isEnabled) throw new ApiError('WEBHOOK_NOT_ENABLED');
  return webhook;
}

function toDelivery(row: DeliveryRow): WebhookDelivery {
  const {
    eventTransactionNumber: _number,
    eventSequenceNumber: _sequence,
    eventCreatedAt: _at,
    ...delivery
  } = row;
  return { ...delivery, eventId: eventIdOf(row) };
}
