// A shop without pages: lists what is sold, places orders, and receives events. README.md says how to start and try it.

import { createHash, timingSafeEqual } from 'node:crypto';
import {
  ConflictError,
  Keyfront,
  KeyfrontError,
  verifyWebhook,
  WebhookVerificationError,
} from '@keyfront/sdk';
import express from 'express';

function setting(name) {
  const value = process.env[name];
  if (!value) throw new Error(`Set ${name}: README.md explains it.`);
  return value;
}

const keyfront = new Keyfront({
  baseUrl: setting('KEYFRONT_URL'),
  apiKey: setting('KEYFRONT_API_KEY'),
  secretKey: setting('KEYFRONT_SECRET_KEY'),
  deadlineMs: 10_000,
});
const webhookSecret = setting('KEYFRONT_WEBHOOK_SECRET');
const shopToken = setting('SHOP_TOKEN');

const app = express().disable('x-powered-by');

app.get('/strains', async (request, response) => {
  const countryCode = String(request.query.country ?? 'PRT');
  const { strains } = await keyfront.strains.list({ countryCode, take: 100 });
  response.json(
    strains.map(({ id, name, retailPrice, currency, stockQuantity }) => ({
      ...{ id, name, price: retailPrice, currency, stock: stockQuantity },
    })),
  );
});

app.post('/orders', requireToken, express.json({ limit: '50kb' }), async (request, response) => {
  const { reference, clientId, items } = request.body ?? {};
  if (typeof reference !== 'string' || !/^[\w-]{8,64}$/.test(reference))
    return response.status(400).json({ error: 'reference must have 8 to 64 letters, digits, "_" and "-"' });
  const { id, invoiceNumber, totalAmount, currency } = await placeOrder(reference, { clientId, items });
  response.status(201).json({ id, invoiceNumber, totalAmount, currency });
});

/** Places an order once. Whoever sends its reference again gets the same order, today by the key and later by the reference. */
async function placeOrder(reference, order) {
  try {
    return await keyfront.orders.create(
      { ...order, externalReference: reference },
      { idempotencyKey: reference },
    );
  } catch (error) {
    if (!(error instanceof ConflictError)) throw error;
    const { orders } = await keyfront.orders.list({ externalReference: reference, take: 1 });
    if (!orders[0]) throw error;
    return orders[0];
  }
}

/** The ids of events that were handled: an event may arrive twice. Keep them in your database, so that they survive a restart. */
const handled = new Set();

// The signature is over the bytes that arrive, so nothing may parse them before.
app.post('/hooks/keyfront', express.raw({ type: () => true, limit: '1mb' }), async (request, response) => {
  const event = await verifyWebhook(request.body ?? '', request.headers, webhookSecret);
  if (!handled.has(event.id)) {
    handled.add(event.id);
    console.log(`${event.type} ${event.id}`);
  }
  response.status(204).end();
});

/** Only your own programs may order: whoever can call this orders for any of your clients. */
function requireToken(request, response, next) {
  const hash = (text) => createHash('sha256').update(text).digest();
  const sent = request.get('authorization') ?? '';
  if (timingSafeEqual(hash(sent), hash(`Bearer ${shopToken}`))) return next();
  response.status(401).json({ error: 'The token is missing or wrong' });
}

app.use((error, _request, response, _next) => {
  if (error instanceof WebhookVerificationError) return response.status(400).json({ error: error.message });
  // What the caller can correct. That the shop's own key is refused is not among it.
  const { status, message, code = null } = error;
  if (status >= 400 && status < 500 && status !== 401)
    return response.status(status).json({ error: message, code });
  console.error(message, error instanceof KeyfrontError ? error.requestId : error.stack);
  response.status(502).json({ error: 'Keyfront cannot be reached' });
});

const server = app.listen(Number(process.env.PORT || 4000), '127.0.0.1', () => {
  console.log(`Ready: http://127.0.0.1:${server.address().port}`);
});
