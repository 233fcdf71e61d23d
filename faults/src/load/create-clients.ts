import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import type { Keyfront } from '@keyfront/sdk';

/** Creates clients, each of which is an event. Returns their ids. */
export async function createClients(keyfront: Keyfront, count: number, everyMs = 0): Promise<string[]> {
  const ids: string[] = [];
  for (let number = 0; number < count; number++) {
    if (number > 0) await delay(everyMs);
    const email = `${randomUUID()}@example.org`;
    const { client } = await keyfront.clients.create({ firstName: 'Ada', lastName: 'Example', email });
    ids.push(client.id);
  }
  return ids;
}

/** No event takes this long to become readable. */
const readableAfterMs = 30_000;

/** Creates an event, and returns its id once it can be read: the events of a trial come after it. */
export async function createFirstEvent(keyfront: Keyfront): Promise<string> {
  const [clientId] = await createClients(keyfront, 1);
  for (const endAt = performance.now() + readableAfterMs; performance.now() < endAt; await delay(10)) {
    const { events } = await keyfront.events.list({ type: 'client.created', take: 100 });
    const event = events.find(({ data }) => data.id === clientId);
    if (event) return event.id;
  }
  throw new Error(`The event of a new client cannot be read after ${readableAfterMs / 1_000} s`);
}
