import { statement } from '@keyfront/postgres';
import { maximumPendingDeliveries } from '@keyfront/protocol';
import { eventHorizon, readEventHorizon } from '../../../database/queries/event-horizon.ts';
import { query } from '../../../database/queries/query.ts';
import type { RunInTransaction } from '../../../database/transactions/transaction.ts';
import type { EventPosition } from '../../events/event-id.ts';

/** What there is to dispatch. */
export interface DispatchState {
  readonly hasWebhooks: boolean;
  readonly hasWork: boolean;
}

export const readDispatchState = query<DispatchState>(
  'dispatch.state',
  // Takes no lock and no transaction id. Every process asks this several times each second.
  `SELECT EXISTS (SELECT FROM webhooks) AS "hasWebhooks",
     EXISTS (SELECT FROM webhook_deliveries WHERE status = 'PENDING' AND NOT is_queued)
     OR EXISTS (SELECT FROM webhooks WHERE replay_before IS NOT NULL)
     OR EXISTS (
       SELECT FROM events, webhook_dispatch AS dispatch
       WHERE (events.transaction_number, events.sequence_number) > (dispatch.transaction_number, dispatch.sequence_number)
         AND events.transaction_number < ${eventHorizon}
         AND events.transaction_number >= (SELECT min(first_transaction_number) FROM webhooks WHERE disabled_reason IS NULL)
     ) AS "hasWork"`,
  { indexScansOnly: true, precededBy: readEventHorizon },
).getAsSystem(() => []);

/** Locks the place of the dispatcher in the log until the transaction ends. Returns null if another process dispatches. */
export const lockDispatch = query<EventPosition>(
  'dispatch.lock',
  `SELECT transaction_number AS "transactionNumber", sequence_number AS "sequenceNumber" FROM webhook_dispatch
   FOR UPDATE SKIP LOCKED`,
).find(() => []);

/** A delivery that is to be queued. */
export interface NewDelivery {
  readonly id: string;
  readonly webhookId: string;
  readonly holderId: string;
  readonly attempts: number;
  readonly isFailing: boolean;
}

const matching = (owner: string) =>
  `SELECT event.*, webhook.id AS webhook_id, webhook.token_id AS of_token, webhook.holder_id AS of_holder,
     webhook.failing_since IS NOT NULL AS is_failing
   FROM batch AS event JOIN webhooks AS webhook ON ${owner}
     AND webhook.disabled_reason IS NULL AND event.transaction_number >= webhook.first_transaction_number
     AND (event.holder_id IS NULL OR event.holder_id = webhook.holder_id)
     AND includes_event_type(webhook.event_types, event.type)
   JOIN digital_keys ON digital_keys.token_id = webhook.token_id AND digital_keys.holder_id = webhook.holder_id`;

const insertDeliveries = `inserted AS (
     INSERT INTO webhook_deliveries (id, webhook_id, token_id, holder_id, event_transaction_number, event_sequence_number,
       event_created_at, event_type, is_queued, next_attempt_at)
     SELECT delivery_id, webhook_id, of_token, of_holder, transaction_number, sequence_number, created_at, type, true, $1
     FROM matching ORDER BY transaction_number, sequence_number
   )`;
const newDeliveries = `coalesce((
     SELECT json_agg(json_build_object('id', delivery_id, 'webhookId', webhook_id, 'holderId', of_holder, 'attempts', 0,
       'isFailing', is_failing) ORDER BY transaction_number, sequence_number) FROM matching
   ), '[]') AS deliveries`;

// An event of the catalogue goes to every digital key, so it ends its batch: a batch has a bounded number of deliveries.
const dispatch = statement<{ deliveries: NewDelivery[]; hasMore: boolean }>(
  'dispatch.events',
  `WITH following AS (
     SELECT transaction_number, sequence_number, created_at, token_id, holder_id, type FROM events
     WHERE (transaction_number, sequence_number) > ($2, $3) AND transaction_number < ${eventHorizon}
       AND transaction_number >= (SELECT min(first_transaction_number) FROM webhooks WHERE disabled_reason IS NULL)
     ORDER BY transaction_number, sequence_number LIMIT $4
   ), numbered AS (
     SELECT *, count(*) FILTER (WHERE token_id IS NULL) OVER (
       ORDER BY transaction_number, sequence_number ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING
     ) AS catalogue_events
     FROM following
   ), batch AS (
     SELECT * FROM numbered WHERE catalogue_events = 0
   ), matching AS MATERIALIZED (
     SELECT uuid_v7() AS delivery_id, matched.* FROM (
       ${matching('webhook.token_id = event.token_id')} UNION ALL ${matching('event.token_id IS NULL')}
     ) AS matched
   ), ${insertDeliveries}, moved AS (
     UPDATE webhook_dispatch SET transaction_number = last.transaction_number, sequence_number = last.sequence_number
     FROM (SELECT * FROM batch ORDER BY transaction_number DESC, sequence_number DESC LIMIT 1) AS last
   )
   SELECT ${newDeliveries}, (SELECT count(*) FROM following) = $4
     OR EXISTS (SELECT FROM numbered WHERE catalogue_events > 0) AS "hasMore"`,
  { precededBy: readEventHorizon },
);

/** Makes deliveries of the next events, and moves the dispatcher on. Returns whether it has left events for the next batch. */
export async function dispatchNextEvents(
  tx: RunInTransaction,
  after: EventPosition,
  take: number,
): Promise<{ hasMore: boolean; deliveries: NewDelivery[] }> {
  const [batch] = await tx(dispatch, [new Date(), after.transactionNumber, after.sequenceNumber, take]);
  return batch ?? { hasMore: false, deliveries: [] };
}

/** Marks deliveries as queued which a holder has asked for. The caller queues them. */
export const takeUnqueuedDeliveries = query<NewDelivery>(
  'dispatch.take-unqueued',
  `UPDATE webhook_deliveries AS delivery SET is_queued = true
   FROM (
     SELECT id FROM webhook_deliveries WHERE status = 'PENDING' AND NOT is_queued ORDER BY id LIMIT $1 FOR UPDATE
   ) AS next
   WHERE delivery.id = next.id
   RETURNING delivery.id, delivery.webhook_id AS "webhookId", delivery.holder_id AS "holderId", delivery.attempts,
     false AS "isFailing"`,
).list((take: number) => [take]);

const replayPart = (owner: string) =>
  `(SELECT events.transaction_number, events.sequence_number, events.created_at, events.token_id, events.holder_id, events.type
    FROM replaying, events
    WHERE ${owner} AND (events.transaction_number, events.sequence_number) > (replay_transaction_number, replay_sequence_number)
      AND events.transaction_number < replay_before AND includes_event_type(replaying.event_types, events.type)
      AND (events.holder_id IS NULL OR events.holder_id = replaying.holder_id)
    ORDER BY events.transaction_number, events.sequence_number LIMIT $2)`;
const replay = statement<{ deliveries: NewDelivery[] }>(
  'dispatch.replay',
  `WITH replaying AS (
     SELECT * FROM webhooks WHERE replay_before IS NOT NULL AND (
       SELECT count(*) FROM (
         SELECT FROM webhook_deliveries AS delivery WHERE delivery.webhook_id = webhooks.id AND delivery.status = 'PENDING' LIMIT $3
       ) AS pending
     ) < $3
     ORDER BY id LIMIT 1 FOR UPDATE
   ), batch AS (
     SELECT * FROM (
       ${replayPart('events.token_id = replaying.token_id')} UNION ALL ${replayPart('events.token_id IS NULL')}
     ) AS events
     WHERE (SELECT disabled_reason IS NULL FROM replaying)
     ORDER BY transaction_number, sequence_number LIMIT $2
   ), matching AS MATERIALIZED (
     SELECT uuid_v7() AS delivery_id, batch.*, replaying.id AS webhook_id, replaying.token_id AS of_token,
       replaying.holder_id AS of_holder, replaying.failing_since IS NOT NULL AS is_failing
     FROM batch, replaying
   ), ${insertDeliveries}, moved AS (
     UPDATE webhooks SET replay_transaction_number = last.transaction_number, replay_sequence_number = last.sequence_number,
       replay_before = CASE WHEN (SELECT count(*) FROM batch) = $2 THEN webhooks.replay_before END
     FROM replaying LEFT JOIN (
       SELECT * FROM batch ORDER BY transaction_number DESC, sequence_number DESC LIMIT 1
     ) AS last ON true
     WHERE webhooks.id = replaying.id
   )
   SELECT ${newDeliveries} FROM replaying`,
);

/**
 * Makes deliveries of the next events that a webhook is to get again. Returns null if there is no such webhook, or each has as many pending
 * deliveries as a replay may add to.
 */
export async function replayNextEvents(tx: RunInTransaction, take: number): Promise<NewDelivery[] | null> {
  const [batch] = await tx(replay, [new Date(), take, maximumPendingDeliveries]);
  return batch?.deliveries ?? null;
}
