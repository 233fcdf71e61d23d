import type { CartOfClient, CartPage } from '@keyfront/protocol';
import { expect, it } from 'vitest';
import { dataOf, openStorefront } from '../../support/storefront.ts';
import { insertCart, insertClient, insertStrain, unknownId } from '../../support/storefront-data.ts';

const { holder, stranger, sibling, admin, sql } = await openStorefront();

type Item = { strainId: string; quantity: number };
const add = (clientId: string, ...cartItems: Item[]) =>
  holder.ask('POST', '/dapp/carts', { body: { clientId, cartItems } });
const messageOf = async (clientId: string, ...cartItems: Item[]) => {
  const { envelope } = await add(clientId, ...cartItems);
  expect(envelope).toMatchObject({ success: false, statusCode: 403, data: null });
  return envelope.message;
};
const cartOf = async (clientId: string) =>
  dataOf<CartPage>(await holder.ask('GET', `/dapp/carts?clientId=${clientId}`)).clients[0]?.clientCart[0];

it.each([
  ['another holder', stranger],
  ['another digital key of the same holder', sibling],
])('adds nothing to the cart of a client of %s', async (_name, other) => {
  const { id: clientId } = await insertClient(sql, other.tokenId);
  const { id: strainId } = await insertStrain(sql);
  const cartId = await insertCart(sql, other.tokenId, clientId, [{ strainId, quantity: 2 }]);
  expect(await messageOf(clientId, { strainId, quantity: 1 })).toBe(
    'Client belongs to another holder or digital key',
  );
  expect(await sql('SELECT quantity FROM cart_items WHERE cart_id = $1', [cartId])).toEqual([
    { quantity: 2 },
  ]);
});

it.each([
  ['another holder', stranger],
  ['another digital key of the same holder', sibling],
])(
  'opens no cart for a client of %s who has none, whether the strain is there or not',
  async (_name, other) => {
    const { id: clientId } = await insertClient(sql, other.tokenId);
    const { id } = await insertStrain(sql);
    for (const strainId of [id, unknownId]) {
      expect(await messageOf(clientId, { strainId, quantity: 1 })).toBe(
        'Client belongs to another holder or digital key',
      );
    }
    expect(await sql('SELECT FROM carts WHERE client_id = $1', [clientId])).toEqual([]);
  },
);

it('rejects an administrator, who has no digital key', async () => {
  const body = { clientId: unknownId, cartItems: [{ strainId: unknownId, quantity: 1 }] };
  expect((await admin.ask('POST', '/dapp/carts', { body })).envelope).toMatchObject({
    statusCode: 403,
    message: 'This is for holders of a digital key: sign in as one',
  });
});

it('rejects an unavailable strain and adds none of the others', async () => {
  const { id: clientId } = await insertClient(sql, holder.tokenId);
  const offered = await insertStrain(sql);
  const withdrawn = await insertStrain(sql, { isAvailable: false });
  const items = [offered, withdrawn].map(({ id }) => ({ strainId: id, quantity: 1 }));
  expect(await messageOf(clientId, ...items)).toBe(`${withdrawn.name} is not available`);
  expect(await sql('SELECT FROM carts WHERE client_id = $1', [clientId])).toEqual([]);
});

it('rejects a strain in another currency than the cart', async () => {
  const { id: clientId } = await insertClient(sql, holder.tokenId);
  const euro = await insertStrain(sql);
  const dollar = await insertStrain(sql, { currency: 'USD' });
  await add(clientId, { strainId: euro.id, quantity: 1 });
  const issue = `The cart holds EUR and ${dollar.name} is sold in USD`;
  expect(await messageOf(clientId, { strainId: dollar.id, quantity: 1 })).toBe(issue);
  expect(await cartOf(clientId)).toMatchObject({ totalQuantity: 1, currency: 'EUR' });
});

it('rejects two currencies in one request', async () => {
  const { id: clientId } = await insertClient(sql, holder.tokenId);
  const euro = await insertStrain(sql);
  const dollar = await insertStrain(sql, { currency: 'USD' });
  const items = [dollar, euro].map(({ id }) => ({ strainId: id, quantity: 1 }));
  expect(await messageOf(clientId, ...items)).toBe(`The cart holds USD and ${euro.name} is sold in EUR`);
});

it('accepts another currency once the cart is empty', async () => {
  const { id: clientId } = await insertClient(sql, holder.tokenId);
  const euro = await insertStrain(sql);
  const dollar = await insertStrain(sql, { currency: 'USD' });
  const { id } = dataOf<CartOfClient>(await add(clientId, { strainId: euro.id, quantity: 1 }));
  await holder.ask('DELETE', `/dapp/carts/${id}`);
  const cart = dataOf<CartOfClient>(await add(clientId, { strainId: dollar.id, quantity: 1 }));
  expect(cart).toMatchObject({ id, currency: 'USD', totalQuantity: 1 });
});

it('rejects more than 1000 of a strain, in one request and in several', async () => {
  const { id: clientId } = await insertClient(sql, holder.tokenId);
  const { id: strainId, name } = await insertStrain(sql);
  const issue = `A cart holds at most 1000 of ${name}`;
  expect(await messageOf(clientId, { strainId, quantity: 1000 }, { strainId, quantity: 1 })).toBe(issue);
  await add(clientId, { strainId, quantity: 999 });
  expect(await messageOf(clientId, { strainId, quantity: 2 })).toBe(issue);
  expect(await cartOf(clientId)).toMatchObject({ totalQuantity: 999 });
  expect((await add(clientId, { strainId, quantity: 1 })).status).toBe(201);
});

it('limits forty concurrent additions to 1000 in total', async () => {
  const { id: clientId } = await insertClient(sql, holder.tokenId);
  const { id: strainId, name } = await insertStrain(sql);
  const replies = await Promise.all(
    Array.from({ length: 40 }, () => add(clientId, { strainId, quantity: 30 })),
  );
  const refused = replies.filter(({ status }) => status === 403);
  expect(replies.filter(({ status }) => status === 201).length).toBe(33);
  expect(refused.length).toBe(7);
  for (const { envelope } of refused) expect(envelope.message).toBe(`A cart holds at most 1000 of ${name}`);
  expect(await cartOf(clientId)).toMatchObject({ totalQuantity: 990 });
});
