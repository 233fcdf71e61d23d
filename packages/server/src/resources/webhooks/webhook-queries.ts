import { statement } from '@keyfront/postgres';
import type { Webhook, WebhookChange } from '@keyfront/protocol';
import { encryptedTable } from '../../database/queries/encrypted-table.ts';
import { listAt } from '../../database/queries/list-at.ts';
import { query } from '../../database/queries/query.ts';
import { rowExists } from '../../database/queries/row-exists.ts';
import type { HolderScope } from '../../database/transactions/scope.ts';
import type { RunInTransaction } from '../../database/transactions/transaction.ts';
import type { EncryptedData } from '../../lib/encryption/data-cipher.ts';
import type { EventPosition } from '../events/event-id.ts';
import { reencryptSecret } from './webhook-secrets.ts';

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

export type NewWebhookRow = Pick<Webhook, 'url' | 'eventTypes' | 'description' | 'disabledReason'>;

/** Inserts a webhook. */
export const insertWebhook = query<Webhook>(
  'webhooks.insert',
  `INSERT INTO webhooks (token_id, holder_id, url, event_types, description, disabled_reason)
   VALUES ($1, $2, $3, $4, $5, $6) RETURNING ${columns}`,
).get(
  ({ tokenId, holderId }: HolderScope, { url, eventTypes, description, disabledReason }: NewWebhookRow) => [
    tokenId,
    holderId,
    url,
    eventTypes,
    description,
    disabledReason,
  ],
);

/** Queues a secret for the commit. */
export const insertSecret = query(
  'webhooks.insert-secret',
  `INSERT INTO webhook_secrets (token_id, holder_id, webhook_id, key_id, ciphertext) VALUES ($1, $2, $3, $4, $5)`,
).atCommit(({ tokenId, holderId }: HolderScope, webhookId: string, { keyId, ciphertext }: EncryptedData) => [
  tokenId,
  holderId,
  webhookId,
  keyId,
  ciphertext,
]);

/** Queues for the commit: lets the current secret expire then, and deletes those before it. */
export const expireSecret = query(
  'webhooks.expire-secrets',
  `WITH expired AS (
     DELETE FROM webhook_secrets WHERE ${inScope} AND webhook_id = $3 AND expires_at IS NOT NULL
   )
   UPDATE webhook_secrets SET expires_at = $4 WHERE ${inScope} AND webhook_id = $3 AND expires_at IS NULL`,
).atCommit(({ tokenId, holderId }: HolderScope, webhookId: string, expiresAt: Date) => [
  tokenId,
  holderId,
  webhookId,
  expiresAt,
]);

/** Lists the webhooks of the scope, oldest first. */
export const listWebhooks = query<Webhook>(
  'webhooks.list',
  `SELECT ${columns} FROM webhooks WHERE ${inScope} ORDER BY id`,
).listInScope((scope: HolderScope) => [scope.tokenId, scope.holderId]);

/** Lists webhooks as they were at these snapshots, in their order. */
export const listWebhooksAt = listAt<Webhook>(
  'webhooks.list-at',
  `SELECT number, ${columns}
   FROM unnest($1::jsonb[]) WITH ORDINALITY AS wanted (snapshot, number)
   CROSS JOIN LATERAL jsonb_populate_record(NULL::webhooks, wanted.snapshot) AS webhooks`,
);

/** Finds a webhook in the scope. */
export const findWebhook = query<Webhook>(
  'webhooks.find',
  `SELECT ${columns} FROM webhooks WHERE ${inScope} AND id = $3`,
).findInScope((scope: HolderScope, id: string) => [scope.tokenId, scope.holderId, id]);

/** Finds a webhook in the scope, and locks it until the transaction ends. */
export const lockWebhook = query<Webhook>(
  'webhooks.lock',
  `SELECT ${columns} FROM webhooks WHERE ${inScope} AND id = $3 FOR NO KEY UPDATE`,
).find(({ tokenId, holderId }: HolderScope, id: string) => [tokenId, holderId, id]);

/** Changes a webhook. Returns null if it is not in the scope. */
export const updateWebhook = query<Webhook>(
  'webhooks.change',
  // The latest failures say nothing about another URL, and a webhook that is enabled again begins with the next event.
  `UPDATE webhooks SET url = coalesce($4, url), event_types = coalesce($5::text[], event_types),
     description = CASE WHEN $6::boolean THEN $7 ELSE description END,
     disabled_reason = CASE $8::boolean WHEN true THEN NULL WHEN false THEN 'HOLDER' ELSE disabled_reason END,
     failing_since = CASE WHEN $4 <> url OR $8::boolean AND disabled_reason IS NOT NULL THEN NULL ELSE failing_since END,
     first_transaction_number = CASE WHEN $8::boolean AND disabled_reason IS NOT NULL THEN find_event_horizon()
       ELSE first_transaction_number END
   WHERE ${inScope} AND id = $3 RETURNING ${columns}`,
).findInScope(({ tokenId, holderId }: HolderScope, id: string, change: WebhookChange) => {
  const { url = null, eventTypes = null, description, isEnabled = null } = change;
  return [tokenId, holderId, id, url, eventTypes, description !== undefined, description ?? null, isEnabled];
});

/** Deletes a webhook and its secrets. Returns null if it is not in the scope. */
export const removeWebhook = query<Webhook>(
  'webhooks.delete',
  `DELETE FROM webhooks WHERE ${inScope} AND id = $3 RETURNING ${columns}`,
).findInScope((scope: HolderScope, id: string) => [scope.tokenId, scope.holderId, id]);

/** Queues for the commit: the dispatcher sends the events after this position again. */
export const startReplay = query(
  'webhooks.replay',
  // Also events that are not readable yet: the dispatcher sends them as well, but those that were committed before must not be left out.
  `UPDATE webhooks SET replay_transaction_number = $4, replay_sequence_number = $5,
     replay_before = (SELECT last_value + 1 FROM event_numbers)
   WHERE ${inScope} AND id = $3`,
).atCommit(
  ({ tokenId, holderId }: HolderScope, id: string, { transactionNumber, sequenceNumber }: EventPosition) => [
    tokenId,
    holderId,
    id,
    transactionNumber,
    sequenceNumber,
  ],
);

/** Whether the webhook exists, in any scope. */
export const webhookExists = rowExists('webhooks');

/** The encryption of the stored secrets. */
export const webhookSecretTable = encryptedTable({
  table: 'webhook_secrets',
  primaryKey: 'id',
  ownerColumns: 'webhook_id AS "webhookId", token_id AS "tokenId"',
  content: 'secrets of webhooks',
  reencrypt: reencryptSecret,
});
