import type { OrderDetails, OrderWithLines } from '@keyfront/protocol';
import { describe, expect, it } from 'vitest';
import { stockOf } from '../../support/order-data.ts';
import { randomFrom } from '../../support/random-from.ts';
import { dataOf, openStorefront, type Reply } from '../../support/storefront.ts';
import { insertCart, insertClient, insertStrain, unknownId } from '../../support/storefront-data.ts';

const { holder, admin, sql } = await openStorefront();
const { tokenId } = holder;

const seed = Number(process.env.ORDERS_TEST_SEED ?? Math.floor(Math.random() * 2 ** 31));

const place = (body: object): Promise<Reply> => holder.ask('POST', '/dapp/orders', { body });
const contents = ({ orderLines }: OrderWithLines) =>
  orderLines.map(({ strain, quantity }) => ({ strainId: strain.id, quantity }));
const setCharge = (countryCode: string, currency: string, deliveryCharge: number, freeFrom: number | null) =>
  admin.ask('PUT', '/admin/delivery-charges', { body: { countryCode, currency, deliveryCharge, freeFrom } });

describe('an order with items', () => {
  it('contains exactly these, and leaves the cart alone', async () => {
    const { id: clientId } = await insertClient(sql, tokenId);
    const [one, two, inCart] = [
      await insertStrain(sql, { stock: 10, price: 2.5 }),
      await insertStrain(sql, { stock: 10, price: 0.1 }),
      await insertStrain(sql, { stock: 10 }),
    ];
    await insertCart(sql, tokenId, clientId, [
      { strainId: inCart.id, quantity: 5 },
      { strainId: one.id, quantity: 4 },
    ]);
    const order = dataOf<OrderWithLines>(
      await place({
        clientId,
        items: [
          { productId: two.id.toUpperCase(), quantity: 3, price: '0.10' },
          { strainId: one.id, quantity: 1, price: 2.5 },
          { strainId: two.id, productId: two.id, quantity: 1 },
        ],
        note: 'Please ring twice.',
      }),
    );
    expect(contents(order)).toEqual([
      { strainId: two.id, quantity: 4 },
      { strainId: one.id, quantity: 1 },
    ]);
    expect(order).toMatchObject({ subTotal: 2.9, totalQuantity: 5, note: 'Please ring twice.' });
    const read = dataOf<OrderDetails>(await holder.ask('GET', `/dapp/orders/${order.id}`));
    expect(read).toEqual({
      ...order,
      client: { ...order.client, shippings: [order.shipping] },
      ...{ payments: [], refunds: [], shipments: [] },
      orderDetails: order,
    });
    expect(await Promise.all([one, two, inCart].map(({ id }) => stockOf(sql, id)))).toEqual([9, 6, 10]);
    const left = await sql(
      'SELECT quantity FROM cart_items JOIN carts ON carts.id = cart_id WHERE client_id = $1',
      [clientId],
    );
    expect(left).toHaveLength(2);
  });

  it('ships to the given address, and takes price, currency and stock of its country', async () => {
    const { id: clientId } = await insertClient(sql, tokenId);
    const { id: strainId } = await insertStrain(sql, { countryCodes: ['PRT', 'ZAF'] });
    await sql(
      `UPDATE strain_locations SET retail_price = 199.9, currency = 'ZAR', stock_quantity = 2
       WHERE strain_id = $1 AND country_code = 'ZAF'`,
      [strainId],
    );
    const items = [{ strainId, quantity: 2 }];
    const shippingAddress = {
      address1: '1 Protea Lane',
      city: 'Cape Town',
      country: 'South Africa',
      landmark: 'Gate',
    };
    const order = dataOf<OrderWithLines>(await place({ clientId, items, shippingAddress }));
    expect(order).toMatchObject({
      currency: 'ZAR',
      subTotal: 399.8,
      shipping: { ...shippingAddress, address2: '', state: '', countryCode: 'ZAF', postalCode: '' },
    });
    expect([await stockOf(sql, strainId, 'ZAF'), await stockOf(sql, strainId)]).toEqual([0, 100]);
    // A later change of the client leaves the snapshot as it is.
    const mine = dataOf<OrderWithLines>(await place({ clientId, items }));
    await holder.ask('PATCH', `/dapp/clients/${clientId}`, { body: { shipping: { address1: 'Elsewhere' } } });
    const read = dataOf<OrderDetails>(await holder.ask('GET', `/dapp/orders/${mine.id}`));
    expect(read.shipping).toMatchObject({ address1: 'Rua do Exemplo 1', countryCode: 'PRT' });
    expect(read.currency).toBe('EUR');
  });

  it.each([
    ['an unknown strain', { strainId: unknownId }, 404, 'RESOURCE_NOT_FOUND', 'Strain not found'],
    ['another price', { price: 9.99 }, 403, 'PRICE_CHANGED', /^Strain .* costs 10.00 EUR$/],
    ['another price as text', { price: '10.01' }, 403, 'PRICE_CHANGED', /costs 10.00 EUR$/],
    ['too many', { quantity: 101 }, 403, 'STOCK_TOO_LOW', /has only 100 left$/],
  ])('refuses %s, and changes nothing', async (_what, change, status, code, message) => {
    const { id: clientId } = await insertClient(sql, tokenId);
    const [good, bad] = [await insertStrain(sql), await insertStrain(sql)];
    const items = [
      { strainId: good.id, quantity: 1, price: 10 },
      { strainId: bad.id, quantity: 1, ...change },
    ];
    const reply = await place({ clientId, items });
    expect(reply.envelope).toMatchObject({
      statusCode: status,
      code,
      message: expect.stringMatching(message),
    });
    expect([await stockOf(sql, good.id), await stockOf(sql, bad.id)]).toEqual([100, 100]);
    expect(await sql('SELECT FROM orders WHERE client_id = $1', [clientId])).toEqual([]);
  });

  it('refuses a strain that is not sold in the country, or no longer', async () => {
    const { id: clientId } = await insertClient(sql, tokenId);
    const strain = await insertStrain(sql, { countryCodes: ['DEU'] });
    const items = [{ strainId: strain.id, quantity: 1 }];
    const refusal = {
      statusCode: 403,
      code: 'NOT_SOLD_IN_COUNTRY',
      message: `${strain.name} is not sold in Portugal`,
    };
    expect((await place({ clientId, items })).envelope).toMatchObject(refusal);
    await sql(`INSERT INTO strain_locations (strain_id, country_code, is_active) VALUES ($1, 'PRT', false)`, [
      strain.id,
    ]);
    expect((await place({ clientId, items })).envelope).toMatchObject(refusal);
  });

  it.each([
    ['no street', { countryCode: 'PRT', city: 'Lisboa' }],
    ['no country', { address1: 'Rua do Exemplo 1' }],
    ['an unknown country', { address1: 'Rua do Exemplo 1', country: 'Atlantis' }],
    ['nothing', {}],
  ])('refuses an address with %s', async (_what, shippingAddress) => {
    const { id: clientId } = await insertClient(sql, tokenId);
    const items = [{ strainId: (await insertStrain(sql)).id, quantity: 1 }];
    const reply = await place({ clientId, items, shippingAddress });
    expect([reply.status, reply.envelope.code]).toEqual([403, 'SHIPPING_ADDRESS_MISSING']);
  });

  it.each([
    [{ items: [] }, 'items should not be empty'],
    [{ items: [{ quantity: 1 }] }, 'items.0.strainId is required'],
    [{ items: [{ strainId: unknownId, quantity: 0 }] }, 'items.0.quantity must not be less than 1'],
    [
      { items: [{ strainId: unknownId, productId: '019a8f3e-7c00-7000-8000-00000000beef', quantity: 1 }] },
      'items.0.productId must be the same as strainId',
    ],
    [
      { items: [1, 2].map(() => ({ strainId: unknownId, quantity: 501 })) },
      'items must not have more than 1000 units of a strain',
    ],
  ])('rejects %j', async (body, issue) => {
    const { id: clientId } = await insertClient(sql, tokenId);
    const reply = await place({ clientId, ...body });
    expect([reply.status, reply.envelope.data]).toEqual([400, [issue]]);
  });
});

it(`adds up to the cent, with delivery, for any prices (seed ${seed})`, async () => {
  const pick = randomFrom(seed);
  const { id: clientId } = await insertClient(sql, tokenId, { countryCode: 'AUS' });
  for (let round = 0; round < 25; round++) {
    const currency = ['EUR', 'USD', 'ZAR'][pick(3)] ?? '';
    const lines: { strainId: string; quantity: number; cents: number }[] = [];
    for (let line = 1 + pick(4); line > 0; line--) {
      const cents = pick(2) ? pick(300) : pick(100_000_000);
      const price = cents / 100;
      const { id: strainId } = await insertStrain(sql, {
        price,
        currency,
        stock: 1000,
        countryCodes: ['AUS'],
      });
      lines.push({ strainId, quantity: 1 + pick(1000), cents });
    }
    const subTotal = lines.reduce((sum, { quantity, cents }) => sum + quantity * cents, 0);
    const charge = pick(5_000);
    const freeFrom = pick(3) === 0 ? null : pick(2) ? subTotal : subTotal + 1;
    dataOf(await setCharge('AUS', currency, charge / 100, freeFrom === null ? null : freeFrom / 100));
    const items = lines.map(({ strainId, quantity }) => ({ strainId, quantity }));
    const order = dataOf<OrderWithLines>(await place({ clientId, items }));
    const delivery = freeFrom !== null && subTotal >= freeFrom ? 0 : charge;
    expect(order).toMatchObject({
      currency,
      subTotal: subTotal / 100,
      deliveryCharge: delivery / 100,
      totalAmount: (subTotal + delivery) / 100,
    });
    expect(order.orderLines.map(({ totalAmount }) => Math.round(totalAmount * 100))).toEqual(
      lines.map(({ quantity, cents }) => quantity * cents),
    );
    const [stored] = await sql(
      'SELECT total_amount::text AS total, delivery_charge::text AS delivery FROM orders WHERE id = $1',
      [order.id],
    );
    expect(stored).toEqual({
      total: ((subTotal + delivery) / 100).toFixed(2),
      delivery: (delivery / 100).toFixed(2),
    });
  }
});
