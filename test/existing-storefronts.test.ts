import { type KeyObject, randomUUID, sign } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { dumpDatabase } from './support/dump-database.ts';
import { openPayments } from './support/payment-data.ts';
import { dataOf, openStorefront } from './support/storefront.ts';
import { insertClient, insertStrain } from './support/storefront-data.ts';

// Storefronts as other people write them, with `fetch` and `node:crypto` only. Each of them completes a purchase.

const storefront = await openStorefront();
const { holder, admin, sql, service } = storefront;
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

/** Sends a request of the holder. Returns the data, or throws what the service says. */
async function call(method: string, path: string, body?: object): Promise<Json> {
  const content = body && JSON.stringify(body);
  const payload = content ?? path.split('?')[1] ?? '{}';
  const { success, message, data } = await send(holder, method, path, payload, content);
  if (!success) throw new Error(`${message} ${data}`);
  return data;
}

it('works as the documentation shows it', async () => {
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
  expect(stored.medicalRecord).toMatchObject(medicalRecord);

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

describe('names that existing pages read', () => {
  async function placeOrder(): Promise<Json> {
    const { id: clientId } = await insertClient(sql, holder.tokenId);
    const { id: strainId } = await insertStrain(sql, { price: 7.25 });
    return call('POST', '/orders', { clientId, items: [{ productId: strainId, quantity: 3 }] });
  }

  it('an order has its status and the price of one unit, wherever it is', async () => {
    const placed = await placeOrder();
    const clientId = placed.client.id;
    const { id } = placed;
    const sumOf = ({ orderLines }: Json) =>
      orderLines.reduce((sum: number, { unitPrice, quantity }: Json) => sum + unitPrice * quantity, 0);
    const expectShown = async (status: string) => {
      const single = await call('GET', `/orders/${id}`);
      for (const order of [single, single.orderDetails]) {
        expect([order.status, order.orderStatus, sumOf(order)]).toEqual([status, status, 21.75]);
      }
      const everything =
        'orderBy=desc&startDate=&endDate=&search=&searchBy=&status=&paymentStatus=&adminApproval=';
      for (const path of [
        `/client/${clientId}/orders`,
        `/dapp/orders?clientId=${clientId}`,
        `/orders/export?${everything.replace('search=', `search=${placed.invoiceNumber}`)}`,
      ]) {
        const { orders } = await call('GET', path);
        expect([path, orders.map((order: Json) => order.status)]).toEqual([path, [status]]);
      }
      const { orders } = dataOf<Json>(await admin.ask('GET', `/admin/orders?clientId=${clientId}`));
      expect(orders.map((order: Json) => order.status)).toEqual([status]);
    };
    expect([placed.status, sumOf(placed)]).toEqual(['PENDING', 21.75]);
    await expectShown('PENDING');
    const body = { adminApproval: 'VERIFIED', orderStatus: 'PROCESSING' };
    const changed = dataOf<Json>(await admin.ask('PATCH', `/admin/orders/${id}`, { body }));
    expect([changed.status, sumOf(changed)]).toEqual(['PROCESSING', 21.75]);
    await expectShown('PROCESSING');

    const other = await placeOrder();
    const cancelled = await call('PATCH', `/orders/${other.id}`, { orderStatus: 'CANCELLED' });
    expect([cancelled.status, sumOf(cancelled)]).toEqual(['CANCELLED', 21.75]);

    const { events } = await call('GET', '/events?type=order.*&take=1000');
    const own = events.filter(({ data }: Json) => data.id === id);
    expect(own.map(({ data }: Json) => [data.status, data.orderStatus, sumOf(data)])).toEqual([
      ['PENDING', 'PENDING', 21.75],
      ...Array.from({ length: own.length - 1 }, () => ['PROCESSING', 'PROCESSING', 21.75]),
    ]);
    expect(own.length).toBeGreaterThan(1);
    // A change has one name.
    for (const { changes = {} } of own) expect(Object.keys(changes)).not.toContain('status');
  });

  it('a file of orders has its columns as before', async () => {
    const query = 'orderBy=desc&startDate=&endDate=&search=&searchBy=&status=&paymentStatus=&adminApproval=';
    const csv = await holder.ask('GET', `/orders/export?${query}`, { headers: { accept: 'text/csv' } });
    expect(csv.text.split('\r\n')[0]?.split(',')).not.toContain('status');
  });

  it('a page has the number of all entries', async () => {
    const { client } = await placeOrder();
    await call('POST', '/carts', {
      clientId: client.id,
      items: [{ strainId: (await insertStrain(sql)).id, quantity: 1 }],
    });
    for (const path of ['/orders?take=1', '/strains?take=1', '/carts?take=1', '/dapp/clients/list?take=1']) {
      const { pageMetaDto } = await call('GET', path);
      expect(pageMetaDto.totalCount).toBe(pageMetaDto.itemCount);
      expect(Math.ceil(pageMetaDto.totalCount / 1)).toBe(pageMetaDto.pageCount);
      expect(pageMetaDto.totalCount).toBeGreaterThan(0);
    }
  });

  it('a medical record has the time at which the client got it', async () => {
    const { id } = await call('POST', '/clients', {
      firstName: 'Dora',
      lastName: 'Example',
      email: `${randomUUID()}@example.org`,
      medicalRecord: { conditions: ['sleep'], doctor: null },
    });
    const { medicalRecord, createdAt } = await call('GET', `/clients/${id}`);
    expect(new Date(medicalRecord.createdAt).toISOString()).toBe(createdAt);
    expect(medicalRecord).toEqual({ conditions: ['sleep'], doctor: null, createdAt });
  });

  it('a payment has a state in lower case, its status, and whether it is cancelled', async () => {
    const { insertOrder, report, expire } = openPayments(storefront);
    const statusOf = async (orderId: string) => {
      const { state, paymentStatus, cancelled } = await call('GET', `/payments/checkout/${orderId}/status`);
      return [state, paymentStatus, cancelled];
    };
    const open = (orderId: string) =>
      call('POST', '/payments/checkout', { orderId, customerIp: '203.0.113.7, 10.0.0.1', returnUrl: null });

    const paid = await insertOrder();
    expect(await statusOf(paid)).toEqual(['pending', 'PENDING', false]);
    const { payUrl } = await open(paid);
    expect(await statusOf(paid)).toEqual(['pending', 'PENDING', false]);
    for (const status of ['PROCESSING', 'PAID', 'REFUNDED']) {
      dataOf(await report(payUrl, status));
      expect(await statusOf(paid)).toEqual([status.toLowerCase(), status, false]);
    }

    const left = await insertOrder();
    await open(left);
    const { state, paymentStatus, cancelled } = await call('POST', `/payments/checkout/${left}/cancel`, {});
    expect([state, paymentStatus, cancelled]).toEqual(['cancelled', 'PENDING', true]);
    expect(await statusOf(left)).toEqual(['cancelled', 'PENDING', true]);
    await expire((await open(left)).payUrl);
    expect(await statusOf(left)).toEqual(['expired', 'PENDING', false]);

    // The address of the customer is nobody's business here.
    const dump = await dumpDatabase(sql);
    expect(dump).not.toContain('203.0.113.7');
    expect(service.logLines.join('\n')).not.toContain('203.0.113.7');
  });

  it('LINK opens a checkout with the order', async () => {
    const { id: clientId } = await insertClient(sql, holder.tokenId);
    const { id: strainId } = await insertStrain(sql);
    const items = [{ strainId, quantity: 1, price: null, productId: null }];
    const order = await call('POST', '/dapp/orders', { clientId, items, note: null, paymentFlow: 'LINK' });
    const { payUrl, state } = await call('GET', `/payments/checkout/${order.id}/status`);
    expect([payUrl, state]).toEqual([order.payUrl, 'pending']);
  });

  it('is deprecated in the OpenAPI document', async () => {
    const document: Json = await (await fetch(`${baseUrl}/openapi.json`)).json();
    const { schemas } = document.components;
    for (const [name, field] of [
      ['Order', 'status'],
      ['OrderWithLines', 'status'],
      ['CreatedOrder', 'status'],
      ['OrderDetails', 'status'],
      ['AdminOrder', 'status'],
      ['OrderLine', 'unitPrice'],
      ['PageMeta', 'totalCount'],
      ['CursorPageMeta', 'totalCount'],
      ['NewCheckout', 'customerIp'],
      ['Checkout', 'state'],
      ['Checkout', 'paymentStatus'],
      ['Checkout', 'cancelled'],
    ] as const) {
      expect([name, field, schemas[name].properties[field].deprecated]).toEqual([name, field, true]);
    }
    expect(schemas.ClientDetails.properties.medicalRecord.properties.createdAt.deprecated).toBe(true);
    expect(schemas.NewOrder.properties.paymentFlow.description).toContain('`LINK` is deprecated');
  });
});

describe('what stays refused, because the customer would never see the order', async () => {
  const { id: clientId } = await insertClient(sql, holder.tokenId);
  const { id: strainId } = await insertStrain(sql, { price: 10 });
  const item = { strainId, quantity: 1 };
  const refusal = async (path: string, body: object) => {
    const content = JSON.stringify(body);
    const { success, statusCode, message, data } = await send(holder, 'POST', path, content, content);
    expect(success).toBe(false);
    return [statusCode, data ?? message];
  };

  it.each(['/dapp/carts', '/carts'])('%s: a cart that the page has made up', async (path) => {
    const made = { clientCartId: randomUUID(), items: [item] };
    expect(await refusal(path, made)).toEqual([404, 'Cart not found']);
    expect(await refusal(path, { ...made, clientId })).toEqual([
      400,
      ['clientCartId must be the cart of the client'],
    ]);
    expect(await refusal(path, { ...made, clientCartId: 'cart-1' })).toEqual([
      400,
      ['clientCartId must be a UUID'],
    ]);
    const { id: otherId } = await insertClient(sql, holder.tokenId);
    expect(await refusal(path, { clientId, clientCartId: otherId, items: [item] })).toEqual([
      400,
      ['clientCartId must be the cart of the client'],
    ]);
    const foreign = await insertClient(sql, storefront.stranger.tokenId);
    expect((await refusal(path, { clientCartId: foreign.id, items: [item] }))[0]).toBe(403);
  });

  it.each(['/dapp/carts', '/carts'])('%s: an item that is not in a list', async (path) => {
    expect(await refusal(path, { clientId, ...item })).toEqual([
      400,
      ['cartItems is required', 'strainId should not exist', 'quantity should not exist'],
    ]);
  });

  it.each(['/dapp/orders', '/orders', '/dapp/carts', '/carts'])(
    '%s: a unitPrice of the page',
    async (path) => {
      for (const unitPrice of [10, 1, '10.00']) {
        const reply = await refusal(path, { clientId, items: [{ ...item, unitPrice }] });
        expect(reply).toEqual([400, ['items.0.unitPrice should not exist']]);
      }
      if (path.endsWith('orders')) {
        expect(await refusal(path, { clientId, unitPrice: 10 })).toEqual([
          400,
          ['unitPrice should not exist'],
        ]);
      }
    },
  );

  it('leaves no order, and an empty cart', async () => {
    expect((await call('GET', `/clients/${clientId}/orders`)).orders).toEqual([]);
    expect((await call('GET', `/carts/${clientId}`)).cartItems).toEqual([]);
  });
});
