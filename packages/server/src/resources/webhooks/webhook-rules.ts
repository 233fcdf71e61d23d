import {
  type CreatedWebhook,
  maximumWebhooks,
  type NewWebhook,
  type RotatedWebhook,
  secretOverlapMs,
  type Webhook,
  type WebhookChange,
  type WebhookList,
} from '@keyfront/protocol';
import { type EndpointRules, findEndpointIssues, normalizeEndpoint } from '@keyfront/webhook-sender';
import type { Database } from '../../database/database.ts';
import type { HolderScope } from '../../database/transactions/scope.ts';
import type { RunInTransaction } from '../../database/transactions/transaction.ts';
import type { DataCipher } from '../../lib/encryption/data-cipher.ts';
import { ApiError, notInScope, validationFailed } from '../../lib/errors/api-error.ts';
import { isEventPattern } from '../events/event-rules.ts';
import {
  countWebhooks,
  expireSecret,
  findWebhook,
  insertSecret,
  insertWebhook,
  listWebhooks,
  lockWebhook,
  removeWebhook,
  updateWebhook,
  webhookExists,
} from './webhook-queries.ts';
import { createSecret } from './webhook-secrets.ts';

export { listWebhooksAt } from './webhook-queries.ts';

/** What the rules of webhooks need beside the database. */
export interface WebhookDependencies {
  /** Encrypts secrets. Null: webhooks are refused. */
  readonly cipher: DataCipher | null;
  readonly endpoints: EndpointRules;
  /** How long events are kept. */
  readonly retentionMs: number;
}

/** Checks what the schema cannot: that the types of events exist, and where the URL leads. Waits for name servers. */
export async function checkWebhook(
  { url, eventTypes = [] }: Pick<WebhookChange, 'url' | 'eventTypes'>,
  { endpoints }: WebhookDependencies,
): Promise<void> {
  const issues = eventTypes.flatMap((pattern, index) =>
    isEventPattern(pattern)
      ? []
      : [`eventTypes.${index} must be a type of event such as order.created or order.*, not ${pattern}`],
  );
  if (url !== undefined) issues.push(...(await findEndpointIssues(url, endpoints)));
  if (issues.length > 0) throw validationFailed(issues);
}

/** Creates a webhook that was checked. The secret is returned only here. */
export async function createWebhook(
  tx: RunInTransaction,
  scope: HolderScope,
  { url, eventTypes, description = null, isEnabled = true }: NewWebhook,
  { cipher }: WebhookDependencies,
): Promise<CreatedWebhook> {
  const secret = createSecret(cipher);
  if ((await countWebhooks(tx, scope)) >= maximumWebhooks) throw new ApiError('WEBHOOK_LIMIT_REACHED');
  const webhook = await insertWebhook(tx, scope, {
    url: normalizeEndpoint(url),
    eventTypes: [...new Set(eventTypes)],
    description,
    disabledReason: isEnabled ? null : 'HOLDER',
  });
  const owner = { webhookId: webhook.id, tokenId: scope.tokenId };
  insertSecret(tx, scope, webhook.id, secret.encryptFor(owner));
  return { ...webhook, secret: secret.text };
}

/** Gets the webhooks of the digital key. */
export async function getWebhookList(database: Database, scope: HolderScope): Promise<WebhookList> {
  return { webhooks: await listWebhooks(database, scope) };
}

/** Gets a webhook, or throws the 404 or 403. */
export async function getWebhook(database: Database, scope: HolderScope, id: string): Promise<Webhook> {
  return (await findWebhook(database, scope, id)) ?? (await throwWebhookNotInScope(database, id));
}

/** Changes a webhook. */
export async function changeWebhook(
  database: Database,
  scope: HolderScope,
  id: string,
  change: WebhookChange,
  dependencies: WebhookDependencies,
): Promise<Webhook> {
  await checkWebhook(change, dependencies);
  const { url, eventTypes } = change;
  const changed = await updateWebhook(database, scope, id, {
    ...change,
    ...(url === undefined ? {} : { url: normalizeEndpoint(url) }),
    ...(eventTypes ? { eventTypes: [...new Set(eventTypes)] } : {}),
  });
  return changed ?? (await throwWebhookNotInScope(database, id));
}

/** Deletes a webhook. What it has not delivered is not sent any more. */
export async function deleteWebhook(database: Database, scope: HolderScope, id: string): Promise<Webhook> {
  return (await removeWebhook(database, scope, id)) ?? (await throwWebhookNotInScope(database, id));
}

/** Makes a new secret. The previous one signs as well for some time. */
export async function rotateSecret(
  tx: RunInTransaction,
  database: Database,
  scope: HolderScope,
  id: string,
  { cipher }: WebhookDependencies,
): Promise<RotatedWebhook> {
  const webhook = (await lockWebhook(tx, scope, id)) ?? (await throwWebhookNotInScope(database, id));
  const secret = createSecret(cipher);
  const expiresAt = new Date(Date.now() + secretOverlapMs);
  expireSecret(tx, scope, id, expiresAt);
  insertSecret(tx, scope, id, secret.encryptFor({ webhookId: id, tokenId: scope.tokenId }));
  return { ...webhook, secret: secret.text, previousSecretExpiresAt: expiresAt.toISOString() };
}

/** Throws the 404, or the 403 for the webhook of another holder or digital key. */
export async function throwWebhookNotInScope(database: Database, id: string): Promise<never> {
  throw notInScope('Webhook', await webhookExists(database, id));
}
