import { type KeyObject, randomUUID, sign } from 'node:crypto';
import { expect, it } from 'vitest';
import { dataOf, openStorefront } from './support/storefront.ts';
import { insertStrain } from './support/storefront-data.ts';

// Storefronts as other people write them, with `fetch` and `node:crypto` only. Each of them completes a purchase.

const { holder, admin, sql, service } = await openStorefront();
const baseUrl = `${service.origin}/api/v1`;

// biome-ignore lint/suspicious/noExplicitAny: these storefronts are written in JavaScript.
type Json = any;

interface Credentials {
  readonly apiKey: string;
  readonly secretKey: KeyObject;
}

/** Sends a request with a signature over this payload. Returns the whole envelope. */
async function send(
  { apiKey, secretKey }: Credentials,
  method: string,
  path: string,
  payload: string,
  body?: string,
): Promise<Json> {
  const response = await fetch(baseUrl + path, {
    method,
    headers: {
      'x-auth-apikey': apiKey,
      'x-auth-signature': sign('sha256', Buffer.from(payload), secretKey).toString('base64'),
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    },
    ...(body === undefined ? {} : { body }),
  });
  return response.json();
}

/** Does what the team of the operator does: it checks the identity and approves the client. */
async function approve(clientId: string): Promise<void> {
  dataOf(
    await admin.ask('PATCH', `/admin/clients/${clientId}`, {
      body: { adminApproval: 'VERIFIED', isKYCVerified: true },
    }),
  );
}

/** What the order contains in the database, besides what the service says about it. */
async function readOrderedUnits(orderId: string): Promise<Record<string, number>> {
  const rows = await sql<{ name: string; quantity: number }>(
    'SELECT strain_name AS name, quantity FROM order_lines WHERE order_id = $1',
    [orderId],
  );
  return Object.fromEntries(rows.map(({ name, quantity }) => [name, quantity]));
}

it('works as the documentation shows it', async () => {
  const call = async (method: string, path: string, body?: object) => {
    const [, query] = path.split('?');
    const content = body && JSON.stringify(body);
    const { success, message, data } = await send(holder, method, path, content ?? query ?? '{}', content);
    if (!success) throw new Error(message);
    return data;
  };
  const calm = await insertStrain(sql, { price: 12.5, countryCodes: ['PRT', 'ZAF'] });
  const bright = await insertStrain(sql, { price: 7.25, countryCodes: ['PRT'] });
  const { strains } = await call(
    'GET',
    `/dapp/strains?countryCode=PRT&search=${encodeURIComponent(calm.name)}`,
  );
  expect(strains).toMatchObject([{ id: calm.id, retailPrice: 12.5, currency: 'EUR', isAvailable: true }]);

  const client = await call('POST', '/dapp/clients', {
    firstName: 'Ada',
    lastName: 'Example',
    email: `${randomUUID()}@example.org`,
    shipping: { address1: 'Rua do Exemplo 1', city: 'Lisboa', countryCode: 'PRT', postalCode: '1000-001' },
  });
  await approve(client.id);
  await call('POST', '/dapp/carts', {
    clientId: client.id,
    cartItems: [
      { strainId: calm.id, quantity: 2 },
      { strainId: bright.id, quantity: 1 },
    ],
  });
  const order = await call('POST', '/dapp/orders', { clientId: client.id });
  expect(order).toMatchObject({ subTotal: 32.25, currency: 'EUR', orderStatus: 'PENDING', totalQuantity: 3 });
  expect(order.subTotal + order.deliveryCharge).toBe(order.totalAmount);
  expect(await readOrderedUnits(order.id)).toEqual({ [calm.name]: 2, [bright.name]: 1 });
  const { orders } = await call('GET', `/dapp/orders?clientId=${client.id}`);
  expect(orders.map(({ id }: Json) => id)).toEqual([order.id]);
});

it('works for a storefront that signs JSON.stringify of whatever it sends', async () => {
  const get = async (
    path: string,
    parameters: Record<string, string> = {},
    names: Record<string, string> = {},
  ) => {
    const query = new URLSearchParams(parameters).toString();
    const payload = JSON.stringify(query ? parameters : names);
    const { success, message, data } = await send(holder, 'GET', query ? `${path}?${query}` : path, payload);
    if (!success) throw new Error(message);
    return data;
  };
  const post = async (path: string, body: object) => {
    const { success, message, data } = await send(
      holder,
      'POST',
      path,
      JSON.stringify(body),
      JSON.stringify(body),
    );
    if (!success) throw new Error(message);
    return data;
  };
  const { id: strainId, name } = await insertStrain(sql, { price: 9.9, countryCodes: ['PRT'] });
  const { strains } = await get('/dapp/strains', { page: '1', take: '20', search: name, countryCode: 'pt' });
  const [strain] = strains;
  expect(strain.retailPrice.toFixed(2)).toBe('9.90');
  expect(strain.strainLocations.map(({ location }: Json) => location.country)).toEqual(['Portugal']);

  const created = await post('/dapp/clients', {
    firstName: 'Ben',
    lastName: 'Example',
    email: `${randomUUID()}@example.org`,
    shipping: { address1: 'Rua do Exemplo 2', city: 'Porto', country: 'Portugal', countryCode: 'PRT' },
  });
  const clientId = created.client.id;
  await approve(clientId);
  const client = await get(`/dapp/clients/${clientId}`, {}, { clientId });
  const cart = await post('/dapp/carts', {
    items: [{ strainId, quantity: 3 }],
    clientCartId: client.clientCart[0].id,
  });
  expect(cart.clients[0].clientCart[0].totalQuatity).toBe(3);

  const { id: orderId } = await post('/dapp/orders', { clientId });
  const { orderDetails } = await get(`/dapp/orders/${orderId}`, {}, { orderId });
  expect(orderDetails.orderLines.map(({ strain, quantity }: Json) => [strain.name, quantity])).toEqual([
    [name, 3],
  ]);
  expect((strain.retailPrice * 3).toFixed(2)).toBe(orderDetails.subTotal.toFixed(2));
  expect(await readOrderedUnits(orderId)).toEqual({ [name]: 3 });
});

it('works for a storefront that uses other addresses and sends the items with the order', async () => {
  const call = async (method: string, path: string, body?: object) => {
    const content = body && JSON.stringify(body);
    const payload = content ?? path.split('?')[1] ?? '{}';
    const { success, message, data } = await send(holder, method, path, payload, content);
    if (!success) throw new Error(message);
    return data;
  };
  const wanted = await insertStrain(sql, { price: 150, currency: 'ZAR', countryCodes: ['ZAF'] });
  const other = await insertStrain(sql, { price: 90, currency: 'ZAR', countryCodes: ['ZAF'] });
  const { strains } = await call('GET', '/strains?countryCode=ZAF&take=50');
  const found = strains.find(({ id }: Json) => id === wanted.id);
  expect(found).toMatchObject({ retailPrice: 150, currency: 'ZAR' });

  const medicalRecord = { conditions: ['sleep'], prescribed: true };
  const client = await call('POST', '/dapp/clients', {
    firstName: 'Cleo',
    lastName: 'Example',
    email: `${randomUUID()}@example.org`,
    shipping: {
      address1: '1 Example Street',
      landmark: 'Opposite the library',
      city: 'Cape Town',
      country: 'South Africa',
      countryCode: 'ZAF',
      postalCode: '8001',
    },
    medicalRecord,
  });
  await approve(client.id);
  const stored = await call('GET', `/clients/${client.id}`);
  expect(stored.shipping.landmark).toBe('Opposite the library');
  expect(stored.medicalRecord).toEqual(medicalRecord);

  // Something else is in the cart, and stays there.
  await call('POST', '/carts', { clientId: client.id, items: [{ strainId: other.id, quantity: 9 }] });
  const order = await call('POST', '/dapp/orders', {
    clientId: client.id,
    items: [{ productId: wanted.id, quantity: 2, price: found.retailPrice }],
    shippingAddress: {
      address1: '2 Example Street',
      city: 'Durban',
      country: 'South Africa',
      countryCode: 'ZAF',
    },
  });
  expect(order).toMatchObject({ subTotal: 300, currency: 'ZAR', shipping: { city: 'Durban' } });
  expect(await readOrderedUnits(order.id)).toEqual({ [wanted.name]: 2 });
  const { clients } = await call('GET', `/carts?clientId=${client.id}`);
  expect(clients[0].clientCart[0].cartItems).toMatchObject([{ strainId: other.id, quantity: 9 }]);
  const listed = await call('GET', `/dapp/clients/${client.id}/orders`);
  expect(listed.orders.map(({ id }: Json) => id)).toEqual([order.id]);
});
