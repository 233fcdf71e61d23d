import type { CartOfClient, CartPage } from '@keyfront/protocol';
import { expect, it } from 'vitest';
import { dataOf, openStorefront } from '../../support/storefront.ts';
import { insertCart, insertClient, insertStrain } from '../../support/storefront-data.ts';

const { holder, sql } = await openStorefront();

const [saffron, tide] = [await insertStrain(sql, { price: 12.5 }), await insertStrain(sql)];

async function fillCart() {
  const { id: clientId } = await insertClient(sql, holder.tokenId);
  const cartId = await insertCart(sql, holder.tokenId, clientId, [
    { strainId: saffron.id, quantity: 2 },
    { strainId: tide.id, quantity: 3 },
  ]);
  return { clientId, cartId };
}
const remove = async (path: string) =>
  dataOf<CartOfClient>(await holder.ask('DELETE', `/dapp/carts/${path}`));
const listOf = async (clientId: string) =>
  dataOf<CartPage>(await holder.ask('GET', `/dapp/carts?clientId=${clientId}`)).clients;

it('takes one strain out and answers with what is left', async () => {
  const { clientId, cartId } = await fillCart();
  const cart = await remove(`${cartId}?strainId=${tide.id}`);
  expect(cart).toEqual({
    clientId,
    id: cartId,
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
          stockQuantity: 100,
        },
      },
    ],
    subTotal: 25,
    deliveryCharge: 0,
    totalAmount: 25,
    totalQuantity: 2,
    totalQuatity: 2,
    currency: 'EUR',
    clients: [expect.objectContaining({ id: clientId })],
  });
  const { clientId: _whose, clients, ...alone } = cart;
  expect(clients).toEqual(await listOf(clientId));
  expect((await listOf(clientId))[0]?.clientCart).toEqual([alone]);
});

it('takes ids in capital letters', async () => {
  const { clientId, cartId } = await fillCart();
  const cart = await remove(`${cartId.toUpperCase()}?strainId=${tide.id.toUpperCase()}`);
  expect(cart).toMatchObject({ clientId, id: cartId, totalQuantity: 2 });
});

it('empties the cart when no strain is named, and keeps it under its id', async () => {
  const { clientId, cartId } = await fillCart();
  const empty = {
    clientId,
    id: cartId,
    cartItems: [],
    subTotal: 0,
    deliveryCharge: 0,
    totalAmount: 0,
    totalQuantity: 0,
    totalQuatity: 0,
    currency: null,
    clients: [expect.objectContaining({ id: clientId })],
  };
  expect(await remove(cartId)).toEqual(empty);
  expect(await listOf(clientId)).toEqual([]);
  expect(await remove(cartId)).toEqual(empty);
  const refilled = await holder.ask('POST', '/dapp/carts', {
    body: { clientId, cartItems: [{ strainId: tide.id, quantity: 1 }] },
  });
  expect(dataOf<CartOfClient>(refilled).id).toBe(cartId);
});

it('takes out what is no longer available', async () => {
  const withdrawn = await insertStrain(sql, { isAvailable: false });
  const { id: clientId } = await insertClient(sql, holder.tokenId);
  const cartId = await insertCart(sql, holder.tokenId, clientId, [{ strainId: withdrawn.id, quantity: 1 }]);
  expect((await remove(`${cartId}?strainId=${withdrawn.id}`)).totalQuantity).toBe(0);
});

it('touches no other cart of the digital key', async () => {
  const [one, other] = [await fillCart(), await fillCart()];
  const before = await listOf(other.clientId);
  await remove(one.cartId);
  expect(await listOf(other.clientId)).toEqual(before);
});

it('takes a strain out once when many ask at the same time', async () => {
  const { clientId, cartId } = await fillCart();
  const replies = await Promise.all(
    Array.from({ length: 10 }, () => holder.ask('DELETE', `/dapp/carts/${cartId}?strainId=${tide.id}`)),
  );
  expect(replies.map(({ status }) => status).sort()).toEqual([200, ...Array(9).fill(404)]);
  expect((await listOf(clientId))[0]?.clientCart[0]?.totalQuantity).toBe(2);
});

it('lets additions and removals at the same time each see the whole of the other or nothing', async () => {
  const { clientId, cartId } = await fillCart();
  const replies = await Promise.all(
    Array.from({ length: 20 }, (_, index) =>
      index % 2
        ? holder.ask('DELETE', `/dapp/carts/${cartId}`)
        : holder.ask('POST', '/dapp/carts', {
            body: {
              clientId,
              cartItems: [
                { strainId: saffron.id, quantity: 5 },
                { strainId: tide.id, quantity: 5 },
              ],
            },
          }),
    ),
  );
  for (const reply of replies) {
    const { cartItems } = dataOf<CartOfClient>(reply);
    const quantities = new Map(cartItems.map(({ strainId, quantity }) => [strainId, quantity]));
    // It began with one unit more of one strain, and every other change was to both alike.
    const difference = (quantities.get(tide.id) ?? 0) - (quantities.get(saffron.id) ?? 0);
    expect([0, 1]).toContain(difference);
  }
});
