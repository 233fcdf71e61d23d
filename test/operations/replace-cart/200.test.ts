import type { CartOfClient } from '@keyfront/protocol';
import { describe, expect, it } from 'vitest';
import { dataOf, openStorefront } from '../../support/storefront.ts';
import { insertCart, insertClient, insertStrain, unknownId } from '../../support/storefront-data.ts';

const { holder, stranger, admin, sql } = await openStorefront();
const { tokenId } = holder;

const contents = ({ cartItems }: CartOfClient) =>
  cartItems.map(({ strainId, quantity }) => ({ strainId, quantity }));
const ask = async (method: string, path: string, body?: object) =>
  dataOf<CartOfClient>(await holder.ask(method, path, body && { body }));

const [one, two] = [await insertStrain(sql, { price: 3 }), await insertStrain(sql)];

describe('a cart', () => {
  it('exists from the start, under the id of its client', async () => {
    const { id } = await insertClient(sql, tokenId);
    const cart = await ask('GET', `/dapp/carts/${id}`);
    expect(cart).toMatchObject({ id, clientId: id, cartItems: [], totalAmount: 0 });
    const filled = await ask('POST', '/dapp/carts', {
      clientCartId: id,
      items: [{ strainId: one.id, quantity: 1 }],
    });
    expect(filled).toMatchObject({ id, clientId: id, totalAmount: 3 });
    expect(await ask('GET', `/dapp/carts/${id}`)).toEqual(filled);
  });

  it('keeps an id of its own that it got earlier, and is found by both', async () => {
    const { id: clientId } = await insertClient(sql, tokenId);
    const cartId = await insertCart(sql, tokenId, clientId, [{ strainId: one.id, quantity: 1 }]);
    expect(cartId).not.toBe(clientId);
    const read = await ask('GET', `/dapp/carts/${cartId}`);
    expect(read).toMatchObject({ id: cartId, clientId, totalQuantity: 1 });
    expect(await ask('GET', `/dapp/carts/${clientId.toUpperCase()}`)).toEqual(read);
    const items = [{ strainId: one.id, quantity: 1 }];
    for (const clientCartId of [cartId, clientId]) {
      expect((await ask('POST', '/dapp/carts', { clientCartId, items })).id).toBe(cartId);
    }
    expect((await ask('POST', `/dapp/carts?clientId=${clientId}`, { items })).totalQuantity).toBe(4);
    expect((await ask('POST', '/dapp/carts', { clientId, clientCartId: cartId, items })).totalQuantity).toBe(
      5,
    );
  });

  it('is replaced by exactly what is sent', async () => {
    const { id } = await insertClient(sql, tokenId);
    await insertCart(sql, tokenId, id, [{ strainId: one.id, quantity: 7 }]);
    const items = [
      { strainId: two.id, quantity: 2 },
      { strainId: one.id, quantity: 1 },
    ];
    const cart = await ask('PUT', `/dapp/carts/${id}`, { items });
    expect(contents(cart).toSorted((a, b) => a.quantity - b.quantity)).toEqual(items.toReversed());
    expect(await ask('GET', `/dapp/carts/${id}`)).toEqual(cart);
    expect(contents(await ask('PUT', `/dapp/carts/${id}`, { items: [] }))).toEqual([]);
    expect(await ask('GET', `/dapp/carts/${id}`)).toMatchObject({ cartItems: [], totalAmount: 0 });
  });

  it('is emptied by the id of its client', async () => {
    const { id } = await insertClient(sql, tokenId);
    const cartId = await insertCart(sql, tokenId, id, [{ strainId: one.id, quantity: 7 }]);
    expect(await ask('DELETE', `/dapp/carts/client/${id}`)).toMatchObject({ id: cartId, cartItems: [] });
    expect(await ask('GET', `/dapp/carts/${cartId}`)).toMatchObject({ totalQuantity: 0 });
  });

  it('has prices, stock and delivery of the country of its client', async () => {
    const { id } = await insertClient(sql, tokenId, { countryCode: 'FJI' });
    const strain = await insertStrain(sql, { price: 10, countryCodes: ['FJI', 'PRT'] });
    await sql(
      `UPDATE strain_locations SET retail_price = 12.5, currency = 'FJD', stock_quantity = 3
       WHERE strain_id = $1 AND country_code = 'FJI'`,
      [strain.id],
    );
    const charge = { countryCode: 'fj', currency: 'FJD', deliveryCharge: '4.90', freeFrom: 30 };
    dataOf(await admin.ask('PUT', '/admin/delivery-charges', { body: charge }));
    const add = (quantity: number) =>
      ask('PUT', `/dapp/carts/${id}`, { items: [{ strainId: strain.id, quantity }] });
    expect(await add(2)).toMatchObject({
      currency: 'FJD',
      subTotal: 25,
      deliveryCharge: 4.9,
      totalAmount: 29.9,
    });
    expect(await add(3)).toMatchObject({
      subTotal: 37.5,
      deliveryCharge: 0,
      totalAmount: 37.5,
      cartItems: [{ strain: { retailPrice: 12.5, currency: 'FJD', stockQuantity: 3, isAvailable: true } }],
    });
    // Moved to a country where the strain is not sold: the cart shows that it cannot be ordered.
    await sql(`UPDATE clients SET shipping_country_code = 'DEU' WHERE id = $1`, [id]);
    expect(await ask('GET', `/dapp/carts/${id}`)).toMatchObject({
      cartItems: [{ strain: { stockQuantity: 0, isAvailable: false } }],
    });
    const refused = await holder.ask('PUT', `/dapp/carts/${id}`, {
      body: { items: [{ strainId: strain.id, quantity: 1 }] },
    });
    expect([refused.status, refused.envelope.code, refused.envelope.message]).toEqual([
      403,
      'NOT_SOLD_IN_COUNTRY',
      `${strain.name} is not sold in Germany`,
    ]);
  });

  it('shows base prices and the stock of all countries as long as the client has no address', async () => {
    const { id } = await insertClient(sql, tokenId, { countryCode: '' });
    const strain = await insertStrain(sql, { price: 10, stock: 4, countryCodes: ['FJI', 'PRT'] });
    const items = [{ strainId: strain.id, quantity: 1 }];
    expect(await ask('POST', '/dapp/carts', { clientId: id, items })).toMatchObject({
      totalAmount: 10,
      cartItems: [{ strain: { stockQuantity: 8, isAvailable: true } }],
    });
    const order = await holder.ask('POST', '/dapp/orders', { body: { clientId: id } });
    expect([order.status, order.envelope.code]).toEqual([403, 'SHIPPING_ADDRESS_MISSING']);
  });
});

describe('the wrong cart', () => {
  it('is a 403 of another holder, and a 404 if there is none', async () => {
    const { id: clientId } = await insertClient(sql, tokenId);
    const cartId = await insertCart(sql, tokenId, clientId, []);
    const body = { items: [] };
    for (const id of [clientId, cartId]) {
      for (const [method, path] of [
        ['GET', `/dapp/carts/${id}`],
        ['PUT', `/dapp/carts/${id}`],
        ['DELETE', `/dapp/carts/${id}`],
      ] as const) {
        const reply = await stranger.ask(method, path, method === 'PUT' ? { body } : {});
        expect([reply.status, reply.envelope.code]).toEqual([403, 'NOT_OWNED']);
      }
    }
    expect((await stranger.ask('DELETE', `/dapp/carts/client/${clientId}`)).status).toBe(403);
    for (const path of [`/dapp/carts/${unknownId}`, `/dapp/carts/client/${unknownId}`]) {
      expect((await holder.ask('DELETE', path)).status).toBe(404);
    }
    const items = [{ strainId: one.id, quantity: 1 }];
    const reply = await holder.ask('POST', '/dapp/carts', { body: { clientCartId: unknownId, items } });
    expect([reply.status, reply.envelope.message]).toEqual([404, 'Cart not found']);
  });

  it('is a 400 if body and query, or client and cart, contradict each other', async () => {
    const [mine, other] = [await insertClient(sql, tokenId), await insertClient(sql, tokenId)];
    const items = [{ strainId: one.id, quantity: 1 }];
    const add = async (query: string, body: object) => {
      const reply = await holder.ask('POST', `/dapp/carts${query}`, { body: { items, ...body } });
      return [reply.status, reply.envelope.data];
    };
    expect(await add('', {})).toEqual([400, ['clientId is required']]);
    expect(await add(`?clientId=${other.id}`, { clientId: mine.id })).toEqual([
      400,
      ['clientId must be the same in body and query'],
    ]);
    expect(await add('', { clientId: mine.id, clientCartId: other.id })).toEqual([
      400,
      ['clientCartId must be the cart of the client'],
    ]);
  });
});
