import type { CartOfClient, CartPage } from '@keyfront/protocol';
import { expect, it } from 'vitest';
import { dataOf, openStorefront } from '../../support/storefront.ts';
import { insertClient, insertStrain } from '../../support/storefront-data.ts';

const { holder, sql } = await openStorefront();

type Item = { strainId: string; quantity: number };
const add = async (clientId: string, ...cartItems: Item[]) =>
  dataOf<CartOfClient>(await holder.ask('POST', '/dapp/carts', { body: { clientId, cartItems } }));
const contents = ({ cartItems }: CartOfClient) =>
  cartItems.map(({ strainId, quantity }): Item => ({ strainId, quantity }));
const cartOf = async (clientId: string) =>
  dataOf<CartPage>(await holder.ask('GET', `/dapp/carts?clientId=${clientId}`)).clients[0]?.clientCart[0];

it('returns the whole cart with current prices, amounts and its client', async () => {
  const { id: clientId } = await insertClient(sql, holder.tokenId);
  const saffron = await insertStrain(sql, { price: 12.5, stock: 240 });
  const tide = await insertStrain(sql, { price: 0.1, stock: 0 });
  await sql('UPDATE strains SET image_url = $2 WHERE id = $1', [tide.id, 'https://images.example/7.png']);
  await add(clientId, { strainId: saffron.id, quantity: 2 });
  const reply = await holder.ask('POST', '/dapp/carts', {
    body: { clientId, cartItems: [{ strainId: tide.id, quantity: 3 }] },
  });
  expect(reply.status).toBe(201);
  const cart = dataOf<CartOfClient>(reply);
  expect(cart).toEqual({
    clientId,
    id: expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/),
    cartItems: [
      {
        strainId: saffron.id,
        quantity: 2,
        lineAmount: 25,
        totalAmount: 25,
        strain: {
          id: saffron.id,
          name: saffron.name,
          retailPrice: 12.5,
          currency: 'EUR',
          imageUrl: null,
          isAvailable: true,
          stockQuantity: 240,
        },
      },
      {
        strainId: tide.id,
        quantity: 3,
        lineAmount: 0.3,
        totalAmount: 0.3,
        strain: {
          id: tide.id,
          name: tide.name,
          retailPrice: 0.1,
          currency: 'EUR',
          imageUrl: 'https://images.example/7.png',
          isAvailable: false,
          stockQuantity: 0,
        },
      },
    ],
    subTotal: 25.3,
    deliveryCharge: 0,
    totalAmount: 25.3,
    totalQuantity: 5,
    totalQuatity: 5,
    currency: 'EUR',
    clients: [expect.objectContaining({ id: clientId, firstName: 'Ada' })],
  });
  const { clientId: _whose, clients, ...alone } = cart;
  expect(clients[0]?.clientCart).toEqual([alone]);
  expect(await cartOf(clientId)).toEqual(alone);
});

it('adds to existing items, and keeps the id and the order of the cart', async () => {
  const { id: clientId } = await insertClient(sql, holder.tokenId);
  const [one, two] = [await insertStrain(sql), await insertStrain(sql)];
  // The one with the later id comes first: it is the time that counts.
  const first = await add(clientId, { strainId: two.id, quantity: 1 });
  await sql(`UPDATE cart_items SET created_at = now() - interval '1 hour' WHERE cart_id = $1`, [first.id]);
  const second = await add(clientId, { strainId: one.id, quantity: 4 }, { strainId: two.id, quantity: 2 });
  expect(contents(second)).toEqual([
    { strainId: two.id, quantity: 3 },
    { strainId: one.id, quantity: 4 },
  ]);
  expect(second.id).toBe(first.id);
});

it('sorts strains of one request by id', async () => {
  const { id: clientId } = await insertClient(sql, holder.tokenId);
  const ids = [
    (await insertStrain(sql)).id,
    (await insertStrain(sql)).id,
    (await insertStrain(sql)).id,
  ].sort();
  const cart = await add(clientId, ...[2, 0, 1].map((at) => ({ strainId: ids[at] ?? '', quantity: 1 })));
  expect(cart.cartItems.map(({ strainId }) => strainId)).toEqual(ids);
  expect((await cartOf(clientId))?.cartItems).toEqual(cart.cartItems);
});

it('sums a strain that occurs twice in a request, in any letter case', async () => {
  const { id: clientId } = await insertClient(sql, holder.tokenId);
  const { id: strainId } = await insertStrain(sql);
  const cart = await add(
    clientId,
    { strainId, quantity: 400 },
    { strainId: strainId.toUpperCase(), quantity: 599 },
    { strainId, quantity: 1 },
  );
  expect(contents(cart)).toEqual([{ strainId, quantity: 1000 }]);
  expect(await cartOf(clientId)).toMatchObject({ totalQuantity: 1000, totalAmount: 10_000 });
});

it('accepts a hundred entries and more than the stock, because a cart reserves nothing', async () => {
  const { id: clientId } = await insertClient(sql, holder.tokenId);
  const { id: strainId } = await insertStrain(sql, { stock: 1 });
  const cart = await add(clientId, ...Array.from({ length: 100 }, () => ({ strainId, quantity: 10 })));
  expect(cart.totalQuantity).toBe(1000);
  expect(await sql('SELECT stock_quantity FROM strain_locations WHERE strain_id = $1', [strainId])).toEqual([
    { stock_quantity: 1 },
  ]);
});

it('shows current prices, not those at the time of the addition', async () => {
  const { id: clientId } = await insertClient(sql, holder.tokenId);
  const { id: strainId } = await insertStrain(sql, { price: 9_999_999_999.99 });
  expect(await add(clientId, { strainId, quantity: 999 })).toMatchObject({
    totalAmount: 9_989_999_999_990.01,
  });
  await sql(`UPDATE strains SET retail_price = 0 WHERE id = $1`, [strainId]);
  expect(await add(clientId, { strainId, quantity: 1 })).toMatchObject({ totalAmount: 0 });
});

it('accepts a client who may not order yet', async () => {
  const { id: clientId } = await insertClient(sql, holder.tokenId, {
    adminApproval: 'PENDING',
    isKycVerified: false,
  });
  const { id: strainId } = await insertStrain(sql);
  expect((await add(clientId, { strainId, quantity: 1 })).totalQuantity).toBe(1);
});

it('adds once for repeated requests with the same Idempotency-Key', async () => {
  const { id: clientId } = await insertClient(sql, holder.tokenId);
  const { id: strainId } = await insertStrain(sql);
  const send = () =>
    holder.ask('POST', '/dapp/carts', {
      body: { clientId, cartItems: [{ strainId, quantity: 7 }] },
      headers: { 'idempotency-key': clientId },
    });
  const first = await send();
  const second = await send();
  expect(second.text).toBe(first.text);
  expect(second.headers.get('idempotent-replayed')).toBe('true');
  expect(await cartOf(clientId)).toMatchObject({ totalQuantity: 7 });
});

it('sums forty concurrent additions exactly', async () => {
  const { id: clientId } = await insertClient(sql, holder.tokenId);
  const { id: strainId } = await insertStrain(sql);
  const carts = await Promise.all(Array.from({ length: 40 }, () => add(clientId, { strainId, quantity: 3 })));
  // One after the other, whatever the order: each saw the sum of those before it and of itself.
  expect(carts.map(({ totalQuantity }) => totalQuantity).sort((a, b) => a - b)).toEqual(
    Array.from({ length: 40 }, (_, index) => 3 * (index + 1)),
  );
  expect(new Set(carts.map(({ id }) => id)).size).toBe(1);
  expect(await cartOf(clientId)).toMatchObject({ totalQuantity: 120, totalAmount: 1200 });
});

it('lists concurrently added strains in the order of their responses', async () => {
  const { id: clientId } = await insertClient(sql, holder.tokenId);
  const strains = await Promise.all(Array.from({ length: 12 }, () => insertStrain(sql)));
  const carts = await Promise.all(strains.map(({ id }) => add(clientId, { strainId: id, quantity: 1 })));
  const fullest = carts.find(({ cartItems }) => cartItems.length === strains.length);
  expect((await cartOf(clientId))?.cartItems).toEqual(fullest?.cartItems);
});
