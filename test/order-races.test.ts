import type { OrderWithLines } from '@keyfront/protocol';
import { describe, expect, it } from 'vitest';
import { dataOf, openStorefront, type Reply } from './support/storefront.ts';
import { insertCart, insertClient, insertStrain } from './support/storefront-data.ts';

const { holder, sql } = await openStorefront();
const { tokenId } = holder;
/** How often two requests are sent at once. Which one is first differs from time to time. */
const rounds = 15;

const unitsInOrder = (reply: Reply) => dataOf<OrderWithLines>(reply).totalQuantity;

async function unitsInCart(clientId: string): Promise<number> {
  const [row] = await sql<{ units: number }>(
    `SELECT coalesce(sum(quantity), 0)::int AS units FROM cart_items
     JOIN carts ON carts.id = cart_id WHERE client_id = $1`,
    [clientId],
  );
  return row?.units ?? 0;
}

describe('an order of a cart that changes at the same time', () => {
  const changes: [string, (clientId: string, strainId: string) => Promise<Reply>][] = [
    [
      'adds units',
      (clientId, strainId) =>
        holder.ask('POST', '/dapp/carts', { body: { clientId, cartItems: [{ strainId, quantity: 5 }] } }),
    ],
    [
      'adds units, with a key',
      (clientId, strainId) =>
        holder.ask('POST', '/dapp/carts', {
          body: { clientId, cartItems: [{ strainId, quantity: 5 }] },
          headers: { 'idempotency-key': clientId },
        }),
    ],
  ];

  it.each(changes)('loses nothing that another request %s', async (_, change) => {
    for (let round = 0; round < rounds; round++) {
      const strain = await insertStrain(sql, { stock: 100 });
      const { id: clientId } = await insertClient(sql, tokenId);
      await insertCart(sql, tokenId, clientId, [{ strainId: strain.id, quantity: 1 }]);
      const [changed, placed] = await Promise.all([
        change(clientId, strain.id),
        holder.ask('POST', '/dapp/orders', { body: { clientId } }),
      ]);
      expect(changed.status).toBe(201);
      expect(unitsInOrder(placed) + (await unitsInCart(clientId))).toBe(6);
    }
  });

  it('contains the cart before or after a replacement, and what remains fits to it', {
    tags: ['long'],
  }, async () => {
    for (let round = 0; round < rounds; round++) {
      const strain = await insertStrain(sql, { stock: 100 });
      const { id: clientId } = await insertClient(sql, tokenId);
      const cartId = await insertCart(sql, tokenId, clientId, [{ strainId: strain.id, quantity: 1 }]);
      const [replaced, placed] = await Promise.all([
        holder.ask('PUT', `/dapp/carts/${cartId}`, {
          body: { items: [{ strainId: strain.id, quantity: 9 }] },
        }),
        holder.ask('POST', '/dapp/orders', { body: { clientId } }),
      ]);
      expect(replaced.status).toBe(200);
      const ordered = unitsInOrder(placed);
      expect([ordered, await unitsInCart(clientId)]).toEqual(ordered === 9 ? [9, 0] : [1, 9]);
    }
  });
});

it('an order and the erasure of its client leave nothing that should be erased', async () => {
  const strain = await insertStrain(sql, { stock: 1000 });
  const items = [{ strainId: strain.id, quantity: 1 }];
  for (let round = 0; round < rounds; round++) {
    const { id: clientId } = await insertClient(sql, tokenId);
    const [erased, placed] = await Promise.all([
      holder.ask('DELETE', `/dapp/clients/${clientId}?erase=true`),
      holder.ask('POST', '/dapp/orders', { body: { clientId, items, note: 'Leave it at the door' } }),
    ]);
    expect(erased.status).toBe(200);
    const wasPlaced = placed.status === 201;
    if (!wasPlaced) expect([403, 404]).toContain(placed.status);
    const [client] = await sql(
      `SELECT first_name <> 'Erased' AS "keepsName", email LIKE '%@erased.invalid' AS "isErased",
         (SELECT count(*) FROM orders WHERE client_id = clients.id)::int AS orders,
         (SELECT count(note) FROM orders WHERE client_id = clients.id)::int AS notes
       FROM clients WHERE id = $1`,
      [clientId],
    );
    expect(client).toEqual({ keepsName: wasPlaced, isErased: true, orders: wasPlaced ? 1 : 0, notes: 0 });
  }
});
