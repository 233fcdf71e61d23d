import type { DisabledReason, Webhook } from '@keyfront/protocol';
import type { Database } from '../../database/database.ts';
import { placeByNumber } from '../../database/queries/place-by-number.ts';
import { rowExists } from '../../database/queries/row-exists.ts';
import { statement } from '../../database/statements/statement.ts';
import type { HolderScope } from '../../database/transactions/scope.ts';
import type { RunInTransaction, RunStatement } from '../../database/transactions/transaction.ts';
import type { EncryptedData } from '../../lib/encryption/data-cipher.ts';
import type { EventPosition } from '../events/event-id.ts';

const columns = `id, url, event_types AS "eventTypes", description, disabled_reason IS NULL AS "isEnabled",
  disabled_reason AS "disabledReason", failing_since AS "failingSince", created_at AS "createdAt", updated_at AS "updatedAt"`;
const inScope = 'token_id = $1 AND holder_id = $2';

const lockHolder = statement('webhooks.lock-holder', 'SELECT FROM holders WHERE id = $1 FOR NO KEY UPDATE');
const count = statement<{ count: number }>(
  'webhooks.count',
  `SELECT count(*) FROM webhooks WHERE ${inScope}`,
);

/** Counts the webhooks of the digital key and locks the holder, so that no other transaction adds one. */
export async function countWebhooks(
  tx: RunInTransaction,
  { tokenId, holderId }: HolderScope,
): Promise<number> {
  // One round trip. The count runs after the lock is granted, so it sees webhooks of transactions that held it.
  const [, [counted]] = await Promise.all([tx(lockHolder, [holderId]), tx(count, [tokenId, holderId])]);
  if (!counted) throw new Error('The webhooks were not counted');
  return counted.count;
}

const insert = statement<Webhook>(
  'webhooks.insert',
  `INSERT INTO webhooks (token_id, holder_id, url, event_types, description, disabled_reason)
   VALUES ($1, $2, $3, $4, $5, $6) RETURNING ${columns}`,
);

export interface NewWebhookRow {
  readonly url: string;
  readonly eventTypes: readonly string[];
  readonly description: string | null;
  readonly disabledReason: DisabledReason | null;
}

/** Inserts a webhook. */
export async function insertWebhook(
  tx: RunInTransaction,
  { tokenId, holderId }: HolderScope,
  { url, eventTypes, description, disabledReason }: NewWebhookRow,
): Promise<Webhook> {
  const values = [tokenId, holderId, url, eventTypes, description, disabledReason];
  const [inserted] = await tx(insert, values);
  if (!inserted) throw new Error('The webhook was not inserted');
  return inserted;
}

const insertSecretRow = statement(
  'webhooks.insert-secret',
  `INSERT INTO webhook_secrets (token_id, holder_id, webhook_id, key_id, ciphertext) VALUES ($1, $2, $3, $4, $5)`,
);
const expireSecrets = statement(
  'webhooks.expire-secrets',
  `WITH expired AS (
     DELETE FROM webhook_secrets WHERE ${inScope} AND webhook_id = $3 AND expires_at IS NOT NULL
   )
   UPDATE webhook_secrets SET expires_at = $4 WHERE ${inScope} AND webhook_id = $3 AND expires_at IS NULL`,
);

/** Queues a secret for the commit. */
export function insertSecret(
  tx: RunInTransaction,
  { tokenId, holderId }: HolderScope,
  webhookId: string,
  { keyId, ciphertext }: EncryptedData,
): void {
  tx.atCommit(insertSecretRow, [tokenId, holderId, webhookId, keyId, ciphertext]);
}

/** Queues for the commit: lets the current secret expire then, and deletes those before it. */
export function expireSecret(
  tx: RunInTransaction,
  { tokenId, holderId }: HolderScope,
  webhookId: string,
  expiresAt: Date,
): void {
  tx.atCommit(expireSecrets, [tokenId, holderId, webhookId, expiresAt]);
}

const list = statement<Webhook>(
  'webhooks.list',
  `SELECT ${columns} FROM webhooks WHERE ${inScope} ORDER BY id`,
);
const find = statement<Webhook>(
  'webhooks.find',
  `SELECT ${columns} FROM webhooks WHERE ${inScope} AND id = $3`,
);
const lock = statement<Webhook>(
  'webhooks.lock',
  `SELECT ${columns} FROM webhooks WHERE ${inScope} AND id = $3 FOR NO KEY UPDATE`,
);

/** Lists the webhooks of the scope, oldest first. */
export function listWebhooks(database: Database, scope: HolderScope): Promise<Webhook[]> {
  return database.query(scope, list, [scope.tokenId, scope.holderId]);
}

const listAt = statement<Webhook & { number: number }>(
  'webhooks.list-at',
  `SELECT number, ${columns}
   FROM unnest($1::jsonb[]) WITH ORDINALITY AS wanted (snapshot, number)
   CROSS JOIN LATERAL jsonb_populate_record(NULL::webhooks, wanted.snapshot) AS webhooks`,
);

/** Lists webhooks as they were at these snapshots, in their order. */
export async function listWebhooksAt(
  tx: RunStatement,
  snapshots: readonly string[],
): Promise<(Webhook | null)[]> {
  const rows = await tx(listAt, [snapshots]);
  return placeByNumber(snapshots.length, rows, ({ number: _number, ...webhook }) => webhook);
}

/** Finds a webhook in the scope. */
export async function findWebhook(
  database: Database,
  scope: HolderScope,
  id: string,
): Promise<Webhook | null> {
  const [webhook] = await database.query(scope, find, [scope.tokenId, scope.holderId, id]);
  return webhook ?? null;
}

/** Finds a webhook in the scope, and locks it until the transaction ends. */
export async function lockWebhook(
  tx: RunInTransaction,
  { tokenId, holderId }: HolderScope,
  id: string,
): Promise<Webhook | null> {
  const [webhook] = await tx(lock, [tokenId, holderId, id]);
  return webhook ?? null;
}

// The latest failures say nothing about another URL, and a webhook that is enabled again begins with the next event.
const change = statement<Webhook>(
  'webhooks.change',
  `UPDATE webhooks SET url = coalesce($4, url), event_types = coalesce($5::text[], event_types),
     description = CASE WHEN $6::boolean THEN $7 ELSE description END,
     disabled_reason = CASE $8::boolean WHEN true THEN NULL WHEN false THEN 'HOLDER' ELSE disabled_reason END,
     failing_since = CASE WHEN $4 <> url OR $8::boolean AND disabled_reason IS NOT NULL THEN NULL ELSE failing_since END,
     first_transaction_number = CASE WHEN $8::boolean AND disabled_reason IS NOT NULL THEN find_event_horizon()
       ELSE first_transaction_number END
   WHERE ${inScope} AND id = $3 RETURNING ${columns}`,
);

export interface WebhookUpdate {
  readonly url?: string;
  readonly eventTypes?: readonly string[];
  readonly description?: string | null;
  readonly isEnabled?: boolean;
}

/** Changes a webhook. Returns null if it is not in the scope. */
export async function updateWebhook(
  database: Database,
  scope: HolderScope,
  id: string,
  { url, eventTypes, description, isEnabled }: WebhookUpdate,
): Promise<Webhook | null> {
  const changes = [url, eventTypes, description !== undefined, description, isEnabled];
  const values = [scope.tokenId, scope.holderId, id, ...changes.map((value) => value ?? null)];
  const [changed] = await database.query(scope, change, values);
  return changed ?? null;
}

const deleteOne = statement<Webhook>(
  'webhooks.delete',
  `DELETE FROM webhooks WHERE ${inScope} AND id = $3 RETURNING ${columns}`,
);

/** Deletes a webhook and its secrets. Returns null if it is not in the scope. */
export async function removeWebhook(
  database: Database,
  scope: HolderScope,
  id: string,
): Promise<Webhook | null> {
  const [deleted] = await database.query(scope, deleteOne, [scope.tokenId, scope.holderId, id]);
  return deleted ?? null;
}

// Also events that are not readable yet: the dispatcher sends them as well, but those that were committed before must not be left out.
const setReplay = statement(
  'webhooks.replay',
  `UPDATE webhooks SET replay_transaction_number = $4, replay_sequence_number = $5,
     replay_before = (SELECT last_value + 1 FROM event_numbers)
   WHERE ${inScope} AND id = $3`,
);

/** Queues for the commit: the dispatcher sends the events after this position again. */
export function startReplay(
  tx: RunInTransaction,
  { tokenId, holderId }: HolderScope,
  id: string,
  { transactionNumber, sequenceNumber }: EventPosition,
): void {
  tx.atCommit(setReplay, [tokenId, holderId, id, transactionNumber, sequenceNumber]);
}

/** Whether the webhook exists, in any scope. */
export const webhookExists = rowExists('webhooks');
