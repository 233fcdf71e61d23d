import type { DeliveryStatus, WebhookDelivery } from '@keyfront/protocol';
import type { Database } from '../../../database/database.ts';
import { type HolderScope, systemScope } from '../../../database/scope.ts';
import { statement } from '../../../database/statement.ts';
import type { RunInTransaction } from '../../../database/transaction.ts';
import { queueSchema } from '../../../database/work-queue.ts';
import type { EncryptedData } from '../../../encryption/data-cipher.ts';

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

const list = statement<DeliveryRow>(
  'deliveries.list',
  `SELECT ${columns} FROM webhook_deliveries AS delivery
   WHERE ${inScope} AND ($4::uuid IS NULL OR delivery.id < $4) AND ($5::text IS NULL OR delivery.status = $5)
   ORDER BY delivery.id DESC LIMIT $6`,
);

export interface DeliveryFilter {
  /** Only older ones. */
  readonly before: string | null;
  readonly status: DeliveryStatus | null;
}

/** Lists deliveries of a webhook, newest first. */
export function listDeliveries(
  database: Database,
  scope: HolderScope,
  webhookId: string,
  { before, status }: DeliveryFilter,
  take: number,
): Promise<DeliveryRow[]> {
  return database.query(scope, list, [scope.tokenId, scope.holderId, webhookId, before, status, take]);
}

const insertTestRow = statement<DeliveryRow>(
  'deliveries.insert-test',
  `INSERT INTO webhook_deliveries AS delivery (token_id, holder_id, webhook_id, event_type, next_attempt_at)
   VALUES ($1, $2, $3, 'webhook.test', $4) RETURNING ${columns}`,
);

/** Inserts a delivery of a test. The dispatcher queues it. */
export async function insertTest(
  run: RunInTransaction,
  scope: HolderScope,
  webhookId: string,
): Promise<DeliveryRow> {
  const [row] = await run(insertTestRow, [scope.tokenId, scope.holderId, webhookId, new Date()]);
  if (!row) throw new Error('The delivery was not inserted');
  return row;
}

const retryOne = statement<DeliveryRow>(
  'deliveries.retry',
  `UPDATE webhook_deliveries AS delivery SET status = 'PENDING', is_queued = false, next_attempt_at = $5
   WHERE ${inScope} AND delivery.id = $4 RETURNING ${columns}`,
);

/** Lets a delivery be attempted now. The dispatcher queues it. Returns null if the webhook has no such delivery. */
export async function retryDeliveryRow(
  run: RunInTransaction,
  scope: HolderScope,
  webhookId: string,
  id: string,
): Promise<DeliveryRow | null> {
  const [row] = await run(retryOne, [scope.tokenId, scope.holderId, webhookId, id, new Date()]);
  return row ?? null;
}

/** What an attempt needs to know of its delivery. */
export interface DueDelivery extends DeliveryRow {
  readonly tokenId: number;
  /** Null if the webhook was deleted, or its holder does not own the digital key any more. */
  readonly url: string | null;
  readonly isEnabled: boolean;
  readonly failingSince: string | null;
  /** Those that are valid, the newest first. */
  readonly secrets: readonly EncryptedData[];
}

interface FoundDelivery extends Omit<DueDelivery, 'secrets'> {
  readonly secretKeyIds: string[];
  /** In hexadecimal. */
  readonly secretTexts: string[];
}

const findDue = statement<FoundDelivery>(
  'deliveries.find-due',
  `SELECT ${columns}, delivery.token_id AS "tokenId", webhook.url, coalesce(webhook.disabled_reason IS NULL, false) AS "isEnabled",
     webhook.failing_since AS "failingSince", secret.key_ids AS "secretKeyIds", secret.texts AS "secretTexts"
   FROM webhook_deliveries AS delivery
   LEFT JOIN (webhooks AS webhook JOIN digital_keys USING (token_id, holder_id)) ON webhook.id = delivery.webhook_id
   LEFT JOIN LATERAL (
     SELECT coalesce(array_agg(key_id ORDER BY id DESC), '{}') AS key_ids,
       coalesce(array_agg(encode(ciphertext, 'hex') ORDER BY id DESC), '{}') AS texts
     FROM webhook_secrets WHERE webhook_id = delivery.webhook_id AND (expires_at IS NULL OR expires_at > $3)
   ) AS secret ON true
   WHERE delivery.id = $1 AND delivery.status = 'PENDING' AND delivery.attempts = $2 - 1`,
);

/** Finds a delivery whose next attempt is the given one. Returns null if that attempt was made already. */
export async function findDueDelivery(
  database: Database,
  id: string,
  attempt: number,
): Promise<DueDelivery | null> {
  const [row] = await database.query(systemScope, findDue, [id, attempt, new Date()]);
  if (!row) return null;
  const { secretKeyIds, secretTexts, ...delivery } = row;
  const secrets = secretKeyIds.map((keyId, index) => ({
    keyId,
    ciphertext: Buffer.from(secretTexts[index] ?? '', 'hex'),
  }));
  return { ...delivery, secrets };
}

/** The result of an attempt. */
export interface AttemptResult {
  readonly attempt: number;
  readonly status: DeliveryStatus;
  readonly attemptedAt: Date;
  readonly nextAttemptAt: Date | null;
  readonly responseStatus: number | null;
  readonly durationMs: number;
  readonly responseBody: string;
  readonly failure: string | null;
}

const record = statement<{ id: string }>(
  'deliveries.record',
  `UPDATE webhook_deliveries SET attempts = $2, status = $3, attempted_at = $4, next_attempt_at = $5, response_status = $6,
     duration_ms = $7, response_body = $8, failure = $9, is_queued = $5::timestamptz IS NOT NULL
   WHERE id = $1 AND status = 'PENDING' AND attempts = $2 - 1 RETURNING id`,
);

/** Records an attempt. Returns false if another process has recorded it. */
export async function recordAttempt(
  run: RunInTransaction,
  deliveryId: string,
  result: AttemptResult,
): Promise<boolean> {
  const { attempt, status, attemptedAt, nextAttemptAt, responseStatus, durationMs, responseBody, failure } =
    result;
  const rows = await run(record, [
    ...[deliveryId, attempt, status, attemptedAt, nextAttemptAt],
    ...[responseStatus, durationMs, responseBody, failure],
  ]);
  return rows.length > 0;
}

const cancel = statement(
  'deliveries.cancel',
  `UPDATE webhook_deliveries SET status = 'FAILED', next_attempt_at = NULL, failure = $2 WHERE id = $1 AND status = 'PENDING'`,
);

/** Gives a delivery up without an attempt. */
export async function cancelDelivery(database: Database, id: string, reason: string): Promise<void> {
  await database.query(systemScope, cancel, [id, reason]);
}

const noteSuccessOf = statement(
  'deliveries.note-success',
  'UPDATE webhooks SET failing_since = NULL WHERE id = $1 AND failing_since IS NOT NULL',
);
const noteFailureOf = statement(
  'deliveries.note-failure',
  'UPDATE webhooks SET failing_since = $2 WHERE id = $1 AND failing_since IS NULL',
);
const disable = statement(
  'deliveries.disable',
  'UPDATE webhooks SET disabled_reason = $2 WHERE id = $1 AND disabled_reason IS NULL',
);

/** Queues for the commit: the latest attempt of the webhook has succeeded. */
export function noteSuccess(run: RunInTransaction, webhookId: string): void {
  run.atCommit(noteSuccessOf, [webhookId]);
}

/** Queues for the commit: an attempt of the webhook has failed. */
export function noteFailure(run: RunInTransaction, webhookId: string, at: Date): void {
  run.atCommit(noteFailureOf, [webhookId, at]);
}

/** Queues for the commit: disables the webhook, which also records the event. */
export function disableWebhook(run: RunInTransaction, webhookId: string, reason: 'GONE' | 'FAILING'): void {
  run.atCommit(disable, [webhookId, reason]);
}

/** The name of the jobs of the work queue. */
const deliveryTask = 'deliver';
/** The flag of jobs to endpoints that have failed. They come after all others, and take only a part of the workers. */
export const retryFlag = 'retry';

// The flags let a worker leave out jobs of a webhook that has enough requests open. The key prevents a second job of a delivery.
const addJobs = statement(
  'deliveries.add-jobs',
  `SELECT count(*) FROM ${queueSchema}.add_jobs(ARRAY(
     SELECT ROW('${deliveryTask}', json_build_object('deliveryId', job.id, 'attempt', job.attempt, 'webhookId', job.webhook_id), NULL,
       job.run_at, NULL, job.id::text, CASE WHEN job.is_retry THEN 10 ELSE 0 END,
       CASE WHEN job.is_retry THEN ARRAY[job.webhook_id::text, '${retryFlag}'] ELSE ARRAY[job.webhook_id::text] END
     )::${queueSchema}.job_spec
     FROM unnest($1::uuid[], $2::uuid[], $3::smallint[], $4::boolean[], $5::timestamptz[])
       AS job (id, webhook_id, attempt, is_retry, run_at)
   ))`,
);

/** One attempt of a delivery, for the work queue. */
export interface DeliveryJob {
  readonly id: string;
  readonly webhookId: string;
  readonly attempt: number;
  readonly isRetry: boolean;
  readonly runAt: Date;
}

/** Adds attempts to the work queue, in the transaction. */
export async function queueAttempts(run: RunInTransaction, jobs: readonly DeliveryJob[]): Promise<void> {
  if (jobs.length === 0) return;
  await run(addJobs, [
    jobs.map(({ id }) => id),
    jobs.map(({ webhookId }) => webhookId),
    jobs.map(({ attempt }) => attempt),
    jobs.map(({ isRetry }) => isRetry),
    jobs.map(({ runAt }) => runAt),
  ]);
}

/** How long an attempt waits that found too many requests to its endpoint open. */
const postponeMs = 200;

/** Puts an attempt back into the work queue. */
export async function postponeAttempt(
  database: Database,
  { deliveryId, webhookId, attempt }: { deliveryId: string; webhookId: string; attempt: number },
  isRetry: boolean,
): Promise<void> {
  const runAt = new Date(Date.now() + postponeMs);
  await database.transaction(systemScope, (run) =>
    queueAttempts(run, [{ id: deliveryId, webhookId, attempt, isRetry, runAt }]),
  );
}

// Oldest first, by the primary key, which begins with the time.
const deleteOld = statement<{ count: number }>(
  'deliveries.delete-old',
  `WITH old AS (
     SELECT id, created_at FROM webhook_deliveries ORDER BY id LIMIT 1000
   ), deleted AS (
     DELETE FROM webhook_deliveries USING old WHERE webhook_deliveries.id = old.id AND old.created_at < $1 RETURNING 1
   )
   SELECT count(*) FROM deleted`,
  { indexScansOnly: true },
);

/** Deletes some of the deliveries before this time. Returns how many. */
export async function deleteOldDeliveryBatch(database: Database, before: Date): Promise<number> {
  const [row] = await database.query(systemScope, deleteOld, [before]);
  return row?.count ?? 0;
}

const backlog = statement<{ count: number; oldestAt: string | null }>(
  'deliveries.backlog',
  `SELECT (SELECT count(*) FROM (SELECT FROM webhook_deliveries WHERE status = 'PENDING' LIMIT 100000) AS pending),
     (
       SELECT delivery.created_at FROM webhook_deliveries AS delivery JOIN webhooks ON webhooks.id = delivery.webhook_id
       WHERE delivery.status = 'PENDING' AND delivery.attempts = 0
         AND webhooks.disabled_reason IS NULL AND webhooks.failing_since IS NULL
       ORDER BY delivery.created_at LIMIT 1
     ) AS "oldestAt"`,
);

/** The deliveries that are not finished. */
export interface DeliveryBacklog {
  /** At most 100,000. */
  readonly count: number;
  /** The oldest one that was never attempted. Endpoints that fail do not count: they keep their own deliveries waiting. */
  readonly oldestAt: string | null;
}

export async function readBacklog(database: Database): Promise<DeliveryBacklog> {
  const [row] = await database.query(systemScope, backlog);
  return row ?? { count: 0, oldestAt: null };
}
