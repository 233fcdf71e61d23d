import { statement } from '@keyfront/postgres';
import { type DeliveryStatus, type WebhookDelivery, webhookTestType } from '@keyfront/protocol';
import { queueSchema } from '../../../database/connection/queue-settings.ts';
import type { Database } from '../../../database/database.ts';
import { query } from '../../../database/queries/query.ts';
import { type HolderScope, systemScope } from '../../../database/transactions/scope.ts';
import type { RunInTransaction } from '../../../database/transactions/transaction.ts';
import type { EncryptedData } from '../../../lib/encryption/data-cipher.ts';

/** A delivery as it is stored. */
export interface DeliveryRow extends Omit<WebhookDelivery, 'eventId'> {
  /** All null: a test. */
  readonly eventTransactionNumber: number | null;
  readonly eventSequenceNumber: number | null;
  readonly eventCreatedAt: string | null;
}

const columns = `delivery.id, delivery.webhook_id AS "webhookId", delivery.event_transaction_number AS "eventTransactionNumber",
  delivery.event_sequence_number AS "eventSequenceNumber", delivery.event_created_at AS "eventCreatedAt",
  delivery.event_type AS "eventType", delivery.status, delivery.attempts, delivery.next_attempt_at AS "nextAttemptAt",
  delivery.attempted_at AS "attemptedAt", delivery.response_status AS "responseStatus",
  delivery.duration_ms AS "durationMs", delivery.response_body AS "responseBody", delivery.failure,
  delivery.created_at AS "createdAt"`;
const inScope = 'delivery.token_id = $1 AND delivery.holder_id = $2 AND delivery.webhook_id = $3';

export interface DeliveryFilter {
  /** Only older ones. */
  readonly before: string | null;
  readonly status: DeliveryStatus | null;
}

/** Lists deliveries of a webhook, newest first. */
export const listDeliveries = query<DeliveryRow>(
  'deliveries.list',
  // A deleted webhook has no deliveries, although a job deletes their rows later.
  `SELECT ${columns} FROM webhook_deliveries AS delivery
   WHERE ${inScope} AND EXISTS (SELECT FROM webhooks WHERE id = $3) AND ($4::uuid IS NULL OR delivery.id < $4) AND ($5::text IS NULL OR delivery.status = $5)
   ORDER BY delivery.id DESC LIMIT $6`,
).listInScope((scope: HolderScope, webhookId: string, { before, status }: DeliveryFilter, take: number) => [
  scope.tokenId,
  scope.holderId,
  webhookId,
  before,
  status,
  take,
]);

const findLoad = statement<DeliveryLoad>(
  'deliveries.find-load',
  `SELECT replay_before IS NOT NULL AS "isReplaying", (
     SELECT count(*) FROM (
       SELECT FROM webhook_deliveries AS delivery WHERE ${inScope} AND delivery.status = 'PENDING' LIMIT $4
     ) AS pending
   ) AS "pendingCount"
   FROM webhooks WHERE id = $3`,
  { indexScansOnly: true },
);

/** What a webhook has to send. */
export interface DeliveryLoad {
  readonly isReplaying: boolean;
  /** Never more than the limit of the count. */
  readonly pendingCount: number;
}

/** Reads what a webhook has to send. Counts its pending deliveries up to a limit. */
export async function readDeliveryLoad(
  tx: RunInTransaction,
  scope: HolderScope,
  webhookId: string,
  limit: number,
): Promise<DeliveryLoad> {
  const [load] = await tx(findLoad, [scope.tokenId, scope.holderId, webhookId, limit]);
  return load ?? { isReplaying: false, pendingCount: 0 };
}

/** Inserts a delivery of a test. The dispatcher queues it. */
export const insertTest = query<DeliveryRow>(
  'deliveries.insert-test',
  `INSERT INTO webhook_deliveries AS delivery (token_id, holder_id, webhook_id, event_type, next_attempt_at)
   VALUES ($1, $2, $3, '${webhookTestType}', $4) RETURNING ${columns}`,
).get((scope: HolderScope, webhookId: string) => [scope.tokenId, scope.holderId, webhookId, new Date()]);

/** Lets a delivery be attempted now. The dispatcher queues it. Returns null if the webhook has no such delivery. */
export const retryDeliveryRow = query<DeliveryRow>(
  'deliveries.retry',
  `UPDATE webhook_deliveries AS delivery SET status = 'PENDING', is_queued = false, next_attempt_at = $5
   WHERE ${inScope} AND delivery.id = $4 RETURNING ${columns}`,
).find((scope: HolderScope, webhookId: string, id: string) => [
  scope.tokenId,
  scope.holderId,
  webhookId,
  id,
  new Date(),
]);

/** One attempt to send a delivery. Attempts are numbered from 1. */
export interface DeliveryAttempt {
  readonly deliveryId: string;
  readonly attempt: number;
}

/** A delivery whose next attempt is the given one. */
export interface DueDelivery extends DeliveryRow {
  readonly tokenId: number;
  readonly holderId: string;
}

/** Where the deliveries of a webhook go. */
export interface DeliveryEndpoint {
  readonly url: string;
  readonly failingSince: string | null;
  /** Those that are valid, the newest first. */
  readonly secrets: readonly EncryptedData[];
}

/**
 * Pending. PostgreSQL does not see that the index of pending deliveries would do, and takes the primary key. A plan
 * that was made while nothing was pending would read that index as a whole when there are many.
 */
const isPending = "delivery.status NOT IN ('DELIVERED', 'FAILED')";

/** Finds the deliveries of a webhook whose next attempt is the given one. Those whose attempt was made already are left out. */
export const findDueDeliveries = query<DueDelivery>(
  'deliveries.find-due',
  // Without `= ANY`, a join with a list of unknown length may be planned to read the whole table in the order of its index.
  `SELECT ${columns}, delivery.token_id AS "tokenId", delivery.holder_id AS "holderId"
   FROM unnest($1::uuid[], $2::smallint[]) WITH ORDINALITY AS due (id, attempt, number)
   JOIN webhook_deliveries AS delivery USING (id)
   WHERE delivery.id = ANY ($1::uuid[]) AND delivery.webhook_id = $3 AND ${isPending} AND delivery.attempts = due.attempt - 1
   ORDER BY due.number`,
  { indexScansOnly: true },
).listAsSystem((webhookId: string, attempts: readonly DeliveryAttempt[]) => [
  attempts.map(({ deliveryId }) => deliveryId),
  attempts.map(({ attempt }) => attempt),
  webhookId,
]);

const findEndpointOf = statement<
  Omit<DeliveryEndpoint, 'secrets'> & { secrets: { keyId: string; ciphertext: string }[] }
>(
  'deliveries.find-endpoint',
  `SELECT webhook.url, webhook.failing_since AS "failingSince", coalesce((
     SELECT json_agg(json_build_object('keyId', key_id, 'ciphertext', encode(ciphertext, 'hex')) ORDER BY id DESC)
     FROM webhook_secrets WHERE webhook_id = webhook.id AND (expires_at IS NULL OR expires_at > $2)
   ), '[]') AS secrets
   FROM webhooks AS webhook JOIN digital_keys USING (token_id, holder_id)
   WHERE webhook.id = $1 AND webhook.disabled_reason IS NULL`,
);

/** Finds where deliveries go. Null: the webhook is disabled or deleted, or its holder does not own the digital key any more. */
export async function findEndpoint(database: Database, webhookId: string): Promise<DeliveryEndpoint | null> {
  const [endpoint] = await database.query(systemScope, findEndpointOf, [webhookId, new Date()]);
  const toSecret = ({ keyId, ciphertext }: { keyId: string; ciphertext: string }) => ({
    keyId,
    ciphertext: Buffer.from(ciphertext, 'hex'),
  });
  return endpoint ? { ...endpoint, secrets: endpoint.secrets.map(toSecret) } : null;
}

/** The result of an attempt. */
export interface AttemptResult extends DeliveryAttempt {
  readonly status: DeliveryStatus;
  readonly attemptedAt: Date;
  readonly nextAttemptAt: Date | null;
  readonly responseStatus: number | null;
  readonly durationMs: number;
  readonly responseBody: string;
  readonly failure: string | null;
}

// What is sent about an erased client still has what invoices need. What its receiver repeats is not needed for them.
const isAboutErased = `EXISTS (
       SELECT FROM events AS event JOIN clients AS client ON client.id = event_client_id(event.type, event.snapshot)::uuid
       WHERE event.transaction_number = delivery.event_transaction_number
         AND event.sequence_number = delivery.event_sequence_number AND client.erased_at IS NOT NULL
     )`;
const record = statement<{ id: string }>(
  'deliveries.record',
  `UPDATE webhook_deliveries AS delivery SET attempts = result.attempt, status = result.status,
     attempted_at = result.attempted_at, next_attempt_at = result.next_attempt_at, response_status = result.response_status,
     duration_ms = result.duration_ms, failure = result.failure,
     response_body = CASE WHEN NOT delivery.is_erased AND NOT ${isAboutErased} THEN result.response_body END,
     is_queued = result.next_attempt_at IS NOT NULL
   FROM unnest($1::uuid[], $2::smallint[], $3::text[], $4::timestamptz[], $5::timestamptz[], $6::smallint[], $7::integer[],
     $8::text[], $9::text[]) AS result (id, attempt, status, attempted_at, next_attempt_at, response_status, duration_ms,
     response_body, failure)
   WHERE delivery.id = ANY ($1::uuid[]) AND delivery.id = result.id AND ${isPending}
     AND delivery.attempts = result.attempt - 1
   RETURNING delivery.id`,
  { indexScansOnly: true },
);

/** Records attempts. Returns the deliveries of those that no other process has recorded. */
export async function recordAttempts(
  tx: RunInTransaction,
  results: readonly AttemptResult[],
): Promise<Set<string>> {
  const rows = await tx(record, [
    results.map(({ deliveryId }) => deliveryId),
    results.map(({ attempt }) => attempt),
    results.map(({ status }) => status),
    results.map(({ attemptedAt }) => attemptedAt),
    results.map(({ nextAttemptAt }) => nextAttemptAt),
    results.map(({ responseStatus }) => responseStatus),
    results.map(({ durationMs }) => durationMs),
    results.map(({ responseBody }) => responseBody),
    results.map(({ failure }) => failure),
  ]);
  return new Set(rows.map(({ id }) => id));
}

/** Gives deliveries up without an attempt. */
export const cancelDeliveries = query(
  'deliveries.cancel',
  `UPDATE webhook_deliveries AS delivery SET status = 'FAILED', next_attempt_at = NULL, failure = $2
   WHERE delivery.id = ANY ($1::uuid[]) AND ${isPending}`,
  { indexScansOnly: true },
).runAsSystem((deliveries: readonly DueDelivery[], reason: string) => [
  deliveries.map(({ id }) => id),
  reason,
]);

/** Queues for the commit: the latest attempt of the webhook has succeeded. */
export const noteSuccess = query(
  'deliveries.note-success',
  'UPDATE webhooks SET failing_since = NULL WHERE id = $1 AND failing_since IS NOT NULL',
).atCommit((webhookId: string) => [webhookId]);

/** Queues for the commit: an attempt of the webhook has failed. */
export const noteFailure = query(
  'deliveries.note-failure',
  'UPDATE webhooks SET failing_since = $2 WHERE id = $1 AND failing_since IS NULL',
).atCommit((webhookId: string, at: Date) => [webhookId, at]);

/** Queues for the commit: disables the webhook, which also records the event. */
export const disableWebhook = query(
  'deliveries.disable',
  'UPDATE webhooks SET disabled_reason = $2 WHERE id = $1 AND disabled_reason IS NULL',
).atCommit((webhookId: string, reason: 'GONE' | 'FAILING') => [webhookId, reason]);

/** The name of the jobs of the work queue. */
const deliveryTask = 'deliver';
/** The flag of jobs to endpoints that are not proven. They come after all others, and take only a part of the workers. */
export const retryFlag = 'retry';

// The flags let a worker leave out jobs of a webhook or a holder that has enough requests open. The key prevents a second job
// for a further attempt of a delivery.
const addJobs = statement(
  'deliveries.add-jobs',
  `SELECT count(*) FROM ${queueSchema}.add_jobs(ARRAY(
     SELECT ROW('${deliveryTask}', job.payload::json, NULL, job.run_at, NULL, job.key, job.priority,
       ARRAY(SELECT json_array_elements_text(job.flags::json)))::${queueSchema}.job_spec
     FROM unnest($1::text[], $2::text[], $3::smallint[], $4::timestamptz[], $5::text[]) AS job (payload, key, priority, run_at, flags)
   ))`,
);

/** What a job of the work queue contains: attempts for one webhook. */
export interface DeliveryPayload {
  readonly webhookId: string;
  readonly holderId: string;
  readonly attempts: readonly DeliveryAttempt[];
}

/** A job of the work queue. */
export interface DeliveryJob extends DeliveryPayload {
  /** Whether the endpoint is not proven. */
  readonly isRetry: boolean;
  readonly runAt: Date;
}

/** The flag of the jobs of a holder without the flag of retries, and of those with it. */
export const holderFlag = (holderId: string): string => `holder ${holderId}`;
export const holderRetryFlag = (holderId: string): string => `retry of holder ${holderId}`;

/** The flags of a job. */
export function flagsOf({ webhookId, holderId, isRetry }: Omit<DeliveryJob, 'attempts' | 'runAt'>): string[] {
  return isRetry ? [webhookId, holderRetryFlag(holderId), retryFlag] : [webhookId, holderFlag(holderId)];
}

/** Jobs with a lower priority come first. */
export const priorityOf = ({ isRetry }: Pick<DeliveryJob, 'isRetry'>): number => (isRetry ? 10 : 0);

/** Adds jobs to the work queue, in the transaction. */
export async function queueDeliveries(tx: RunInTransaction, jobs: readonly DeliveryJob[]): Promise<void> {
  if (jobs.length === 0) return;
  const payloadOf = ({ webhookId, holderId, attempts }: DeliveryJob): DeliveryPayload => ({
    ...{ webhookId, holderId, attempts },
  });
  await tx(addJobs, [
    jobs.map((job) => JSON.stringify(payloadOf(job))),
    jobs.map(({ attempts: [first, second] }) => (first && !second ? first.deliveryId : null)),
    jobs.map(priorityOf),
    jobs.map(({ runAt }) => runAt),
    jobs.map((job) => JSON.stringify(flagsOf(job))),
  ]);
}

/** Puts attempts back into the work queue, for this time. */
export async function postponeDeliveries(database: Database, job: DeliveryJob): Promise<void> {
  await database.transaction(systemScope, (tx) => queueDeliveries(tx, [job]));
}

/** Lets the jobs of a webhook that has responded again no longer wait as retries. */
export const releaseRetries = query(
  'deliveries.release-retries',
  `UPDATE ${queueSchema}._private_jobs SET priority = $2,
     flags = (SELECT jsonb_object_agg(flag, true) FROM unnest($3::text[]) AS flag)
   WHERE flags ? $1 AND flags ? '${retryFlag}' AND locked_at IS NULL`,
).runAsSystem(({ webhookId, holderId }: DeliveryPayload) => {
  const released = { webhookId, holderId, isRetry: false };
  return [webhookId, priorityOf(released), flagsOf(released)];
});

/** Deletes some of the deliveries that are older than this, and counts them. */
export const deleteOldDeliveryBatch = query<{ count: number }>(
  'deliveries.delete-old',
  // Oldest first, by the primary key, which begins with the time, and by the place of the event, which may have been replayed later. The
  // clock of the database decides, as it does for events.
  `WITH old AS (
     (SELECT id, created_at AS kept_from FROM webhook_deliveries ORDER BY id LIMIT 1000)
     UNION ALL
     (SELECT id, event_created_at FROM webhook_deliveries WHERE event_transaction_number IS NOT NULL
      ORDER BY event_transaction_number, event_sequence_number LIMIT 1000)
   ), deleted AS (
     DELETE FROM webhook_deliveries USING old
     WHERE webhook_deliveries.id = old.id AND old.kept_from < now() - $1 * interval '1 ms' RETURNING 1
   )
   SELECT count(*) FROM deleted`,
  { indexScansOnly: true },
).getAsSystem((maxAgeMs: number) => [maxAgeMs]);

/** Lists deleted webhooks that still have deliveries. The dispatcher may add some while a webhook is deleted. */
export const listUnownedDeliveries = query<{ webhookId: string }>(
  'deliveries.list-unowned',
  // Visits each webhook id of the index once. To look for all rows without a webhook would read the whole table.
  `WITH RECURSIVE visited AS (
     (SELECT webhook_id FROM webhook_deliveries ORDER BY webhook_id LIMIT 1)
     UNION ALL
     SELECT (
       SELECT next.webhook_id FROM webhook_deliveries AS next WHERE next.webhook_id > visited.webhook_id
       ORDER BY next.webhook_id LIMIT 1
     ) FROM visited WHERE webhook_id IS NOT NULL
   )
   SELECT webhook_id AS "webhookId" FROM visited
   WHERE webhook_id IS NOT NULL AND NOT EXISTS (SELECT FROM webhooks WHERE webhooks.id = visited.webhook_id)`,
  { indexScansOnly: true },
).listAsSystem(() => []);

/** Deletes some deliveries of a deleted webhook, and the jobs that would make their next attempts. Counts the deliveries. */
export const deleteUnownedDeliveryBatch = query<{ count: number }>(
  'deliveries.delete-unowned',
  // Jobs of one attempt may wait for a day, and have its delivery as their key. Others run soon, and find nothing to do.
  `WITH deleted AS (
     DELETE FROM webhook_deliveries WHERE id IN (SELECT id FROM webhook_deliveries WHERE webhook_id = $1 LIMIT 1000)
     RETURNING id::text
   ), removed AS (
     DELETE FROM ${queueSchema}._private_jobs WHERE key = ANY (ARRAY(SELECT id FROM deleted)) AND locked_at IS NULL
   )
   SELECT count(*) FROM deleted`,
  { indexScansOnly: true },
).getAsSystem((webhookId: string) => [webhookId]);

/** The deliveries that are not finished. */
export interface DeliveryBacklog {
  /** At most 100,000. */
  readonly count: number;
  /** The oldest one that was never attempted. Endpoints that fail do not count: they keep their own deliveries waiting. */
  readonly oldestAt: string | null;
}

export const readBacklog = query<DeliveryBacklog>(
  'deliveries.backlog',
  `SELECT (SELECT count(*) FROM (SELECT FROM webhook_deliveries WHERE status = 'PENDING' LIMIT 100000) AS pending),
     (
       SELECT delivery.created_at FROM webhook_deliveries AS delivery JOIN webhooks ON webhooks.id = delivery.webhook_id
       WHERE delivery.status = 'PENDING' AND delivery.attempts = 0
         AND webhooks.disabled_reason IS NULL AND webhooks.failing_since IS NULL
       ORDER BY delivery.created_at LIMIT 1
     ) AS "oldestAt"`,
).getAsSystem(() => []);
