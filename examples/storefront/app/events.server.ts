import { EventEmitter } from 'node:events';
import { type KeyfrontEvent, NotFoundError, verifyWebhook, WebhookVerificationError } from '@keyfront/sdk';
import { database } from './database.server.ts';
import { forgetEvents, keepEvent, subjectOf } from './event-history.server.ts';
import { keyfront } from './keyfront.server.ts';
import { readBody } from './read-body.server.ts';
import { webhookSecret } from './settings.server.ts';

/** What the shop wants to know. Its webhook has the same types. */
const eventTypes = 'client.*,order.*,payment.*,shipment.*';

/** Tells the pages of a customer, by the id of the client, that something has happened. */
const updates = new EventEmitter().setMaxListeners(0);

/** Calls `listener` whenever something has happened to this customer. Returns what ends it. */
export function onUpdate(clientId: string, listener: () => void): () => void {
  updates.on(clientId, listener);
  return () => updates.off(clientId, listener);
}

const shutdown = new AbortController();
// In development Vite ends the process.
if (import.meta.env.PROD)
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, () => shutdown.abort());

/** When the server is about to end. It waits for its connections, so those that last must be ended. */
export const shutdownSignal = shutdown.signal;

const pollMs = 5_000;
/** A delivery carries one object of the API, such as an order with all of its lines. */
const maxDeliveryBytes = 1_000_000;

/** In development this module is loaded again after a change, and the timer of the one before must end. */
const kept = globalThis as { eventTimer?: NodeJS.Timeout };

/** Asks for events now, and again and again if no webhook sends them. For the start of the server. */
export function followEvents(): void {
  void catchUp();
  clearInterval(kept.eventTimer);
  if (!webhookSecret) kept.eventTimer = setInterval(() => void catchUp(), pollMs).unref();
}

/** Receives an event from the webhook of the shop. */
export async function receiveWebhook(request: Request): Promise<Response> {
  if (!webhookSecret) return new Response('Set KEYFRONT_WEBHOOK_SECRET', { status: 404 });
  const body = await readBody(request, maxDeliveryBytes);
  try {
    const event = await verifyWebhook(body, request.headers, webhookSecret);
    if (event.type !== 'webhook.test') take(event);
  } catch (error) {
    if (error instanceof WebhookVerificationError) return new Response(error.message, { status: 400 });
    throw error;
  }
  // A delivery may have got lost, or come out of order. The list of events has all of them.
  void catchUp();
  return new Response(null, { status: 204 });
}

function take(event: KeyfrontEvent): void {
  const subject = subjectOf(event);
  // By the customer in the shop, or by the holder elsewhere.
  if (event.type === 'client.archived') forgetEvents(event.data.id);
  else if (subject && keepEvent(event, subject.clientId, subject.orderId)) updates.emit(subject.clientId);
}

let running: Promise<void> | null = null;
let isWanted = false;

/** Reads the events since the last time: those that were missed while the shop was away. Never rejects. */
function catchUp(): Promise<void> {
  isWanted = true;
  running ??= run().finally(() => {
    running = null;
  });
  return running;
}

async function run(): Promise<void> {
  while (isWanted) {
    isWanted = false;
    try {
      await readEvents();
    } catch (error) {
      // The next delivery, and the next start, try again.
      console.error('Events could not be read:', error instanceof Error ? error.message : error);
    }
  }
}

async function readEvents(): Promise<void> {
  const position = findPosition();
  if (!position) return skipToNewest();
  try {
    await readAfter(position);
  } catch (error) {
    if (!(error instanceof NotFoundError)) throw error;
    // The position is too old, or from another database: read whatever events there are.
    await readAfter(null);
  }
}

async function readAfter(position: string | null): Promise<void> {
  let after = position;
  for (let hasMore = true; hasMore; ) {
    const page = await keyfront.events.list({ type: eventTypes, take: 100, ...(after && { after }) });
    for (const event of page.events) take(event);
    after = page.nextAfter;
    // After the events: a crash in between reads them once more, and their ids keep them from counting twice.
    if (after) savePosition(after);
    hasMore = page.hasMore;
  }
}

/** A new shop does not need what happened before it. */
async function skipToNewest(): Promise<void> {
  const { nextAfter } = await keyfront.events.list({ orderBy: 'desc', take: 1 });
  if (nextAfter) savePosition(nextAfter);
}

function findPosition(): string | null {
  const row = database.prepare('SELECT after FROM event_position').get() as { after: string } | undefined;
  return row?.after ?? null;
}

function savePosition(after: string): void {
  database.prepare('INSERT OR REPLACE INTO event_position VALUES (1, ?)').run(after);
}
