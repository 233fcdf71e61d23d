import type { Database } from '../../../database/database.ts';
import type { DescribeEvents } from '../../events/describe-events.ts';
import { formatEventId } from '../../events/event-id.ts';
import { getEventsAt } from '../../events/event-rules.ts';
import type { DeliveryRow, DueDelivery } from './delivery-queries.ts';

/** What a delivery sends. */
export interface DeliveryMessage {
  readonly id: string;
  readonly body: string;
  readonly isTest: boolean;
}

/** Writes the messages of deliveries, by the ids of the deliveries. An event that is no longer kept has none. */
export async function composeMessages(
  database: Database,
  describe: DescribeEvents,
  deliveries: readonly DueDelivery[],
): Promise<Map<string, DeliveryMessage>> {
  const references = deliveries.flatMap((delivery) => readReference(delivery) ?? []);
  const events = await getEventsAt(database, describe, references);
  const messages = new Map<string, DeliveryMessage>();
  for (const delivery of deliveries) {
    const eventId = eventIdOf(delivery);
    if (eventId === null) {
      messages.set(delivery.id, composeTest(delivery));
      continue;
    }
    const event = events.get(eventId);
    if (!event) continue;
    const { createdAt: timestamp, ...rest } = event;
    const body = JSON.stringify({ ...rest, timestamp });
    messages.set(delivery.id, { id: event.id, body, isTest: false });
  }
  return messages;
}

function composeTest({ id, webhookId, eventType: type, createdAt, tokenId }: DueDelivery): DeliveryMessage {
  const body = { id: `test_${id}`, type, timestamp: createdAt, tokenId, data: { webhookId } };
  return { id: body.id, body: JSON.stringify(body), isTest: true };
}

/** The event of a delivery. Null: a test. */
function readReference({ eventTransactionNumber, eventSequenceNumber, eventCreatedAt }: DeliveryRow) {
  if (eventTransactionNumber === null || eventSequenceNumber === null || eventCreatedAt === null) return null;
  return {
    transactionNumber: eventTransactionNumber,
    sequenceNumber: eventSequenceNumber,
    createdAt: new Date(eventCreatedAt),
  };
}

/** The id of the event of a delivery. Null: a test. */
export function eventIdOf(delivery: DeliveryRow): string | null {
  const reference = readReference(delivery);
  return reference && formatEventId(reference, reference.createdAt.toISOString());
}
