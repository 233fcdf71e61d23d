// A shop without pages, as a worker: lists what is sold, places orders, and receives events. README.md says how to start and try it.

import { ConflictError, Keyfront, verifyWebhook, WebhookVerificationError } from '@keyfront/sdk';

export default {
  async fetch(request, env) {
    const { pathname, searchParams } = new URL(request.url);
    try {
      if (!env.SHOP_TOKEN) throw new Error('Set SHOP_TOKEN: README.md explains it.');
      if (request.method === 'GET' && pathname === '/strains') return await listStrains(env, searchParams);
      if (request.method === 'POST' && pathname === '/orders') return await takeOrder(env, request);
      if (request.method === 'POST' && pathname === '/hooks/keyfront') return await takeEvent(env, request);
      return refuse(404, 'There is nothing here');
    } catch (error) {
      if (error instanceof Response) return error;
      if (error instanceof WebhookVerificationError) return refuse(400, error.message);
      // What the caller can correct. That the shop's own key is refused is not among it.
      const { status, message, code } = error;
      if (status >= 400 && status < 500 && status !== 401) return refuse(status, message, code);
      console.error(message);
      return refuse(502, 'Keyfront cannot be reached');
    }
  },
};

const refuse = (status, error, code = null) => Response.json({ error, code }, { status });

const connect = ({ KEYFRONT_URL: baseUrl, KEYFRONT_API_KEY: apiKey, KEYFRONT_SECRET_KEY: secretKey }) =>
  new Keyfront({ baseUrl, apiKey, secretKey, deadlineMs: 10_000 });

async function listStrains(env, searchParams) {
  const countryCode = searchParams.get('country') ?? 'PRT';
  const { strains } = await connect(env).strains.list({ countryCode, take: 100 });
  return Response.json(
    strains.map(({ id, name, retailPrice, currency, stockQuantity }) => ({
      ...{ id, name, price: retailPrice, currency, stock: stockQuantity },
    })),
  );
}

/** Only your own programs may order: whoever can call this orders for any of your clients. */
async function takeOrder(env, request) {
  const hash = (text) => crypto.subtle.digest('SHA-256', new TextEncoder().encode(text));
  const [sent, expected] = await Promise.all(
    [request.headers.get('authorization') ?? '', `Bearer ${env.SHOP_TOKEN}`].map(hash),
  );
  if (!crypto.subtle.timingSafeEqual(sent, expected)) throw refuse(401, 'The token is missing or wrong');
  const { reference, clientId, items } = parseJson(await readBody(request, 50_000));
  if (typeof reference !== 'string' || !/^[\w-]{8,64}$/.test(reference))
    throw refuse(400, 'reference must have 8 to 64 letters, digits, "_" and "-"');
  const { id, invoiceNumber, totalAmount, currency } = await placeOrder(env, reference, { clientId, items });
  return Response.json({ id, invoiceNumber, totalAmount, currency }, { status: 201 });
}

/** Places an order once. Whoever sends its reference again gets the same order, today by the key and later by the reference. */
async function placeOrder(env, reference, order) {
  const keyfront = connect(env);
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

/** An event may arrive twice. Keep its id where your worker keeps data, and do the work once. */
async function takeEvent(env, request) {
  const event = await verifyWebhook(
    await readBody(request, 1_000_000),
    request.headers,
    env.KEYFRONT_WEBHOOK_SECRET,
  );
  console.log(`${event.type} ${event.id}`);
  return new Response(null, { status: 204 });
}

function parseJson(text) {
  try {
    return Object(JSON.parse(text));
  } catch {
    throw refuse(400, 'The body must be JSON');
  }
}

async function readBody(request, maxBytes) {
  const chunks = [];
  let length = 0;
  for await (const chunk of request.body ?? []) {
    length += chunk.length;
    if (length > maxBytes) throw refuse(413, 'The body is too large');
    chunks.push(chunk);
  }
  return new Blob(chunks).text();
}
