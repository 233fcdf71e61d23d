import type { OrderWithLines } from '@keyfront/protocol';
import { describe, expect, it } from 'vitest';
import { plainOrderFields } from '../../support/order-data.ts';
import { dataOf, openStorefront } from '../../support/storefront.ts';
import { insertCart, insertClient, insertStrain } from '../../support/storefront-data.ts';

const { holder, sql } = await openStorefront();
const { tokenId } = holder;

async function order(clientId: string): Promise<OrderWithLines> {
  const reply = await holder.ask('POST', '/dapp/orders', { body: { clientId } });
  expect(reply.status).toBe(201);
  return dataOf<OrderWithLines>(reply);
}

const stockOf = async (id: string) =>
  (
    await sql<{ stock: number }>(
      'SELECT stock_quantity AS stock FROM strain_locations WHERE strain_id = $1',
      [id],
    )
  )[0]?.stock;

const salesOf = (clientId: string) =>
  sql<{ stage: string; order_id: string | null }>(
    'SELECT stage, order_id FROM sales WHERE client_id = $1 ORDER BY created_at, id',
    [clientId],
  );

describe('POST /dapp/orders', () => {
  it('turns the cart into an order at current prices, takes the stock and empties the cart', async () => {
    const client = await insertClient(sql, tokenId);
    const first = await insertStrain(sql, { price: 12.5, stock: 10 });
    const second = await insertStrain(sql, { price: 0.99, stock: 3 });
    await insertCart(sql, tokenId, client.id, [
      { strainId: first.id, quantity: 4 },
      { strainId: second.id, quantity: 3 },
    ]);
    const placed = await order(client.id);
    expect(placed).toEqual({
      id: expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-7/),
      invoiceNumber: expect.stringMatching(/^KF-[0-9A-HJKMNP-TV-Z]{10}$/),
      orderStatus: 'PENDING',
      status: 'PENDING',
      paymentStatus: 'PENDING',
      adminApproval: 'PENDING',
      rejectionNote: null,
      note: null,
      shipping: {
        address1: 'Rua do Exemplo 1',
        address2: '',
        landmark: '',
        city: 'Lisboa',
        state: '',
        country: '',
        countryCode: 'PRT',
        postalCode: '',
      },
      subTotal: 52.97,
      deliveryCharge: 0,
      totalAmount: 52.97,
      ...plainOrderFields,
      totalQuantity: 7,
      currency: 'EUR',
      createdAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      updatedAt: placed.createdAt,
      client: { id: client.id, firstName: 'Ada', lastName: 'Example', email: client.email },
      nft: { tokenId },
      orderLines: [
        {
          id: expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-8/),
          quantity: 4,
          productAmount: 12.5,
          unitPrice: 12.5,
          totalAmount: 50,
          strain: { id: first.id, name: first.name, type: 'HYBRID', imageUrl: null },
        },
        {
          id: expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-8/),
          quantity: 3,
          productAmount: 0.99,
          unitPrice: 0.99,
          totalAmount: 2.97,
          strain: { id: second.id, name: second.name, type: 'HYBRID', imageUrl: null },
        },
      ],
    });
    expect([await stockOf(first.id), await stockOf(second.id)]).toEqual([6, 0]);
    const left = await sql('SELECT FROM cart_items JOIN carts ON carts.id = cart_id WHERE client_id = $1', [
      client.id,
    ]);
    expect(left).toEqual([]);
    expect(dataOf(await holder.ask('GET', `/dapp/orders/${placed.id}`))).toMatchObject({
      ...placed,
      orderDetails: placed,
    });
  });

  it('advances the lead of the client, and opens a sale for each later order', async () => {
    const client = await insertClient(sql, tokenId);
    await sql(`INSERT INTO sales (token_id, client_id, stage) VALUES ($1, $2, 'LEADS')`, [
      tokenId,
      client.id,
    ]);
    const strain = await insertStrain(sql);
    const orders: string[] = [];
    for (let round = 0; round < 2; round++) {
      await insertCart(sql, tokenId, client.id, [{ strainId: strain.id, quantity: 1 }]);
      orders.push((await order(client.id)).id);
    }
    expect(await salesOf(client.id)).toEqual(orders.map((id) => ({ stage: 'ONGOING', order_id: id })));
  });

  it('uses prices at checkout, not at the time of the addition', async () => {
    const client = await insertClient(sql, tokenId);
    const strain = await insertStrain(sql, { price: 5 });
    await insertCart(sql, tokenId, client.id, [{ strainId: strain.id, quantity: 2 }]);
    await sql('UPDATE strains SET retail_price = 7.25 WHERE id = $1', [strain.id]);
    expect((await order(client.id)).totalAmount).toBe(14.5);
  });

  it('records author and time in its history', async () => {
    const client = await insertClient(sql, tokenId);
    const strain = await insertStrain(sql);
    await insertCart(sql, tokenId, client.id, [{ strainId: strain.id, quantity: 1 }]);
    const { id, createdAt } = await order(client.id);
    expect(dataOf(await holder.ask('GET', `/dapp/orders/${id}/history`))).toEqual({
      history: [
        {
          orderStatus: 'PENDING',
          paymentStatus: 'PENDING',
          adminApproval: 'PENDING',
          rejectionNote: null,
          changedAt: createdAt,
          author: 'HOLDER',
        },
      ],
    });
  });
});
