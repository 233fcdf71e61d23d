import { setTimeout as delay } from 'node:timers/promises';
import type { createSender } from '@keyfront/webhook-sender';
import type { Database } from '../../../database/database.ts';
import { systemScope } from '../../../database/transactions/scope.ts';
import type { DataCipher } from '../../../lib/encryption/data-cipher.ts';
import { getTracing, trace } from '../../../observability/tracing.ts';
import type { DescribeEvents } from '../../events/describe-events.ts';
import { decryptSecret } from '../webhook-secrets.ts';
import { composeMessages, type DeliveryMessage } from './compose-messages.ts';
import {
  type AttemptResult,
  cancelDeliveries,
  type DeliveryAttempt,
  type DeliveryEndpoint,
  type DeliveryPayload,
  type DueDelivery,
  disableWebhook,
  findDueDeliveries,
  findEndpoint,
  noteFailure,
  noteSuccess,
  queueDeliveries,
  recordAttempts,
} from './delivery-queries.ts';
import { disableAfterMs, retryDelayMs } from './retry-schedule.ts';
import { signDelivery } from './sign-delivery.ts';

/** What became of an attempt, for the metrics. `skipped`: another process has made it, or there was nothing to send any more. */
export type AttemptOutcome = 'delivered' | 'retried' | 'failed' | 'skipped';

export interface DeliverDependencies {
  readonly database: Database;
  readonly cipher: DataCipher;
  readonly describe: DescribeEvents;
  readonly send: ReturnType<typeof createSender>;
  /** Requests to a webhook at a time. */
  readonly parallelRequests: number;
  readonly onAttempt?: (outcome: AttemptOutcome) => void;
}

/** What is left to do of a job. */
export interface UnfinishedJob {
  /** The attempts that were not made. */
  readonly attempts: readonly DeliveryAttempt[];
  /** Whether the endpoint has failed. */
  readonly failedOrSlow: boolean;
}

const goneStatus = 410;
/** Attempts that are recorded together. When a process is killed, so many are made again. */
const chunkSize = 16;
/** After this time, a job is left to a later one. Jobs of other webhooks come before that. */
const jobTimeMs = 5_000;
/** Pause = work time × this, while requests of holders wait for the database. */
const pauseFactor = 2;
const longestPauseMs = 250;

/**
 * Makes attempts to deliver events to one webhook, and records them together with the jobs of the next attempts. Leaves the rest to a later
 * job when the endpoint is bad or the time is up.
 */
export async function deliverEvents(
  { webhookId, attempts }: DeliveryPayload,
  signal: AbortSignal,
  dependencies: DeliverDependencies,
): Promise<UnfinishedJob> {
  const endAt = performance.now() + jobTimeMs;
  let failedOrSlow = false;
  let left = attempts;
  while (left.length > 0 && !failedOrSlow && performance.now() < endAt) {
    const chunk = left.slice(0, chunkSize);
    const startedAt = performance.now();
    const made = await deliverChunk(webhookId, chunk, { endAt, signal }, dependencies);
    failedOrSlow = made.failedOrSlow;
    left = [...made.attempts, ...left.slice(chunk.length)];
    if (left.length > 0 && dependencies.database.hasWaitingRequests) {
      // Callers come first: an event may be late, and an order may not.
      const pauseMs = Math.min((performance.now() - startedAt) * pauseFactor, longestPauseMs);
      await delay(pauseMs, undefined, { signal });
    }
  }
  return { attempts: left, failedOrSlow };
}

/** Makes the attempts, until the endpoint turns out to be bad or the time is up. */
async function deliverChunk(
  webhookId: string,
  attempts: readonly DeliveryAttempt[],
  { endAt, signal }: { readonly endAt: number; readonly signal: AbortSignal },
  dependencies: DeliverDependencies,
): Promise<UnfinishedJob> {
  const { database, cipher, describe, onAttempt = () => undefined } = dependencies;
  const [due, endpoint] = await Promise.all([
    findDueDeliveries(database, webhookId, attempts),
    findEndpoint(database, webhookId),
  ]);
  const skip = (count: number) => {
    for (let skipped = 0; skipped < count; skipped++) onAttempt('skipped');
  };
  skip(attempts.length - due.length);
  const [first] = due;
  if (!first) return { attempts: [], failedOrSlow: false };
  if (!endpoint) {
    await cancelDeliveries(database, due, 'The webhook was disabled or deleted');
    skip(due.length);
    return { attempts: [], failedOrSlow: false };
  }
  const messages = await composeMessages(database, describe, due);
  const expired = due.filter(({ id }) => !messages.has(id));
  if (expired.length > 0) {
    await cancelDeliveries(database, expired, 'The event is no longer kept');
    skip(expired.length);
  }
  const secrets = endpoint.secrets.map((data) =>
    decryptSecret(cipher, { webhookId, tokenId: first.tokenId }, data),
  );
  const results: AttemptResult[] = [];
  const waiting = due.filter(({ id }) => messages.has(id));
  let failedOrSlow = false;
  const work = async () => {
    while (!failedOrSlow) {
      const delivery = waiting.shift();
      const message = delivery && messages.get(delivery.id);
      if (!message) return;
      const result = await makeAttempt(delivery, message, {
        endpoint,
        secrets,
        signal,
        send: dependencies.send,
      });
      results.push(result);
      if (result.failure !== null) failedOrSlow = true;
      if (performance.now() >= endAt) return;
    }
  };
  const working = await Promise.allSettled(Array.from({ length: dependencies.parallelRequests }, work));
  // Also when the process shuts down: what has been delivered is not sent again.
  if (results.length > 0) await record(first, endpoint, results, { database, onAttempt });
  for (const outcome of working) if (outcome.status === 'rejected') throw outcome.reason;
  return {
    attempts: waiting.map(({ id, attempts }) => ({ deliveryId: id, attempt: attempts + 1 })),
    failedOrSlow,
  };
}

interface AttemptDependencies extends Pick<DeliverDependencies, 'send'> {
  readonly endpoint: DeliveryEndpoint;
  readonly secrets: readonly Buffer[];
  readonly signal: AbortSignal;
}

/** Sends a delivery. Rejects if the process shuts down meanwhile. */
function makeAttempt(
  delivery: DueDelivery,
  message: DeliveryMessage,
  dependencies: AttemptDependencies,
): Promise<AttemptResult> {
  const attributes = { 'keyfront.delivery_id': delivery.id, 'keyfront.attempt': delivery.attempts + 1 };
  return trace({ name: 'deliver webhook', kind: 'producer', attributes }, async (span) => {
    const result = await sendDelivery(delivery, message, dependencies);
    span.setAttributes({ 'keyfront.outcome': outcomeOf(result) });
    return result;
  });
}

async function sendDelivery(
  delivery: DueDelivery,
  message: DeliveryMessage,
  { endpoint, secrets, signal, send }: AttemptDependencies,
): Promise<AttemptResult> {
  const timestamp = Math.floor(Date.now() / 1000);
  const attempt = delivery.attempts + 1;
  const {
    status: responseStatus,
    durationMs,
    body,
    failure,
  } = await send({
    url: endpoint.url,
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
  const attemptedAt = new Date();
  const isFinal = failure === null || responseStatus === goneStatus || message.isTest;
  const delayMs = isFinal ? null : retryDelayMs(attempt);
  const nextAttemptAt = delayMs === null ? null : new Date(attemptedAt.getTime() + delayMs);
  const status = failure === null ? 'DELIVERED' : nextAttemptAt ? 'PENDING' : 'FAILED';
  const result = { responseStatus, durationMs, responseBody: body, failure };
  return { deliveryId: delivery.id, attempt, status, attemptedAt, nextAttemptAt, ...result };
}

async function record(
  { webhookId, holderId }: DueDelivery,
  { failingSince }: DeliveryEndpoint,
  results: readonly AttemptResult[],
  { database, onAttempt }: { database: Database; onAttempt: (outcome: AttemptOutcome) => void },
): Promise<void> {
  const now = new Date();
  const hasSuccess = results.some(({ failure }) => failure === null);
  const isFailing = results.at(-1)?.failure !== null;
  const hasFailedForLong =
    failingSince !== null && now.getTime() - Date.parse(failingSince) >= disableAfterMs;
  const recorded = await database.transaction(systemScope, async (tx) => {
    const ids = await recordAttempts(tx, results);
    const made = results.filter(({ deliveryId }) => ids.has(deliveryId));
    if (made.length === 0) return ids;
    if (hasSuccess && failingSince !== null) noteSuccess(tx, webhookId);
    if (isFailing && (hasSuccess || failingSince === null)) noteFailure(tx, webhookId, now);
    if (made.some(({ responseStatus }) => responseStatus === goneStatus))
      disableWebhook(tx, webhookId, 'GONE');
    else if (isFailing && !hasSuccess && hasFailedForLong) disableWebhook(tx, webhookId, 'FAILING');
    await queueDeliveries(
      tx,
      made.flatMap(({ deliveryId, attempt, nextAttemptAt }) => {
        const attempts = [{ deliveryId, attempt: attempt + 1 }];
        return nextAttemptAt ? [{ webhookId, holderId, attempts, isRetry: true, runAt: nextAttemptAt }] : [];
      }),
    );
    return ids;
  });
  for (const result of results) onAttempt(recorded.has(result.deliveryId) ? outcomeOf(result) : 'skipped');
}

function outcomeOf({ failure, nextAttemptAt }: AttemptResult): AttemptOutcome {
  if (failure === null) return 'delivered';
  return nextAttemptAt ? 'retried' : 'failed';
}
