import type { Database } from '../../../database/database.ts';
import { systemScope } from '../../../database/scope.ts';
import type { DataCipher } from '../../../encryption/data-cipher.ts';
import { getTracing, trace } from '../../../tracing/tracing.ts';
import type { DescribeEvents } from '../../events/describe-events.ts';
import { findEventAt } from '../../events/event-rules.ts';
import { decryptSecret } from '../webhook-secrets.ts';
import {
  cancelDelivery,
  type DueDelivery,
  disableWebhook,
  findDueDelivery,
  noteFailure,
  noteSuccess,
  queueAttempts,
  recordAttempt,
} from './delivery-queries.ts';
import { disableAfterMs, retryDelayMs } from './retry-schedule.ts';
import type { createSender, DeliveryResponse } from './send-request.ts';
import { signDelivery } from './sign-delivery.ts';

/** What became of an attempt, for the metrics. `skipped`: another process has made it, or there was nothing to send any more. */
export type AttemptOutcome = 'delivered' | 'retried' | 'failed' | 'skipped';

export interface DeliverParts {
  readonly database: Database;
  readonly cipher: DataCipher;
  readonly describe: DescribeEvents;
  readonly send: ReturnType<typeof createSender>;
}

const goneStatus = 410;

/** Makes one attempt to deliver an event, and records it together with the job of the next attempt. */
export function deliverEvent(
  due: { readonly deliveryId: string; readonly attempt: number },
  signal: AbortSignal,
  parts: DeliverParts,
): Promise<AttemptOutcome> {
  const attributes = { 'keyfront.delivery_id': due.deliveryId, 'keyfront.attempt': due.attempt };
  return trace({ name: 'deliver webhook', kind: 'producer', attributes }, async (span) => {
    const outcome = await attemptDelivery(due, signal, parts);
    span.setAttributes({ 'keyfront.outcome': outcome });
    return outcome;
  });
}

async function attemptDelivery(
  { deliveryId, attempt }: { readonly deliveryId: string; readonly attempt: number },
  signal: AbortSignal,
  { database, cipher, describe, send }: DeliverParts,
): Promise<AttemptOutcome> {
  const delivery = await findDueDelivery(database, deliveryId, attempt);
  if (!delivery) return 'skipped';
  const { webhookId, url, tokenId } = delivery;
  if (url === null || !delivery.isEnabled) {
    await cancelDelivery(database, deliveryId, 'The webhook was disabled or deleted');
    return 'skipped';
  }
  const message = await composeMessage(database, describe, delivery);
  if (!message) {
    await cancelDelivery(database, deliveryId, 'The event is no longer kept');
    return 'skipped';
  }
  const timestamp = Math.floor(Date.now() / 1000);
  const secrets = delivery.secrets.map((data) => decryptSecret(cipher, { webhookId, tokenId }, data));
  const response = await send({
    url,
    headers: {
      'content-type': 'application/json',
      'user-agent': 'Keyfront-Webhooks/1',
      'webhook-id': message.id,
      'webhook-timestamp': String(timestamp),
      'webhook-signature': signDelivery({ ...message, timestamp }, secrets),
      ...getTracing()?.outgoingHeaders(),
    },
    body: message.body,
    signal,
  });
  return record(database, delivery, attempt, response);
}

/** Writes the body of a delivery. Returns null if the event is no longer kept. */
async function composeMessage(
  database: Database,
  describe: DescribeEvents,
  delivery: DueDelivery,
): Promise<{ id: string; body: string } | null> {
  const { id, webhookId, eventType: type, createdAt, tokenId } = delivery;
  const { eventTransactionNumber, eventSequenceNumber, eventCreatedAt } = delivery;
  if (eventTransactionNumber === null || eventSequenceNumber === null || eventCreatedAt === null) {
    const body = { id: `test_${id}`, type, timestamp: createdAt, tokenId, data: { webhookId } };
    return { id: body.id, body: JSON.stringify(body) };
  }
  const position = { transactionNumber: eventTransactionNumber, sequenceNumber: eventSequenceNumber };
  const event = await findEventAt(database, describe, position, new Date(eventCreatedAt));
  if (!event) return null;
  const { createdAt: timestamp, ...rest } = event;
  return { id: event.id, body: JSON.stringify({ ...rest, timestamp }) };
}

function record(
  database: Database,
  { id, webhookId, eventTransactionNumber, failingSince }: DueDelivery,
  attempt: number,
  { status: responseStatus, durationMs, body: responseBody, failure }: DeliveryResponse,
): Promise<AttemptOutcome> {
  const now = new Date();
  const isGone = responseStatus === goneStatus;
  const isTest = eventTransactionNumber === null;
  const delayMs = failure === null || isGone || isTest ? null : retryDelayMs(attempt);
  const nextAttemptAt = delayMs === null ? null : new Date(now.getTime() + delayMs);
  const status = failure === null ? 'DELIVERED' : nextAttemptAt ? 'PENDING' : 'FAILED';
  const hasFailedForLong =
    failingSince !== null && now.getTime() - Date.parse(failingSince) >= disableAfterMs;
  const result = { responseStatus, durationMs, responseBody, failure };
  return database.transaction(systemScope, async (run) => {
    const isRecorded = await recordAttempt(run, id, {
      ...{ attempt, status, attemptedAt: now, nextAttemptAt },
      ...result,
    });
    if (!isRecorded) return 'skipped';
    if (failure === null) {
      if (failingSince !== null) noteSuccess(run, webhookId);
      return 'delivered';
    }
    if (failingSince === null) noteFailure(run, webhookId, now);
    if (isGone) disableWebhook(run, webhookId, 'GONE');
    else if (hasFailedForLong) disableWebhook(run, webhookId, 'FAILING');
    if (!nextAttemptAt) return 'failed';
    const next = { id, webhookId, attempt: attempt + 1, isRetry: true, runAt: nextAttemptAt };
    await queueAttempts(run, [next]);
    return 'retried';
  });
}
