import type { OrderWithLines } from '@keyfront/protocol';
import { expect, it } from 'vitest';
import { insertOrder, plainOrderFields } from '../../support/order-data.ts';
import { dataOf, openStorefront } from '../../support/storefront.ts';
import { insertClient, insertStrain } from '../../support/storefront-data.ts';

const { holder, sql } = await openStorefront();
const { tokenId } = holder;

const client = await insertClient(sql, tokenId);
const [first, second] = [await insertStrain(sql), await insertStrain(sql)];
const invoiceNumber = `KF-GET-ORDER-${tokenId}`;
const id = await insertOrder(sql, tokenId, client.id, {
  invoiceNumber,
  orderStatus: 'CANCELLED',
  paymentStatus: 'FAILED',
  adminApproval: 'REJECTED',
  rejectionNote: 'The address is a post box.',
  totalAmount: 52.97,
  totalQuantity: 7,
  createdAt: '2026-01-02T03:04:05.006Z',
  updatedAt: '2026-02-03T04:05:06.007Z',
});
// Entered from the last to the first, so that nothing but their numbers can put them right.
await sql(
  `INSERT INTO order_lines (order_id, line_number, token_id, strain_id, strain_name, unit_price, quantity)
   VALUES ($1, 2, $2, $4, 'Second of then', 0.99, 3), ($1, 1, $2, $3, 'First of then', 12.5, 4)`,
  [id, tokenId, first.id, second.id],
);
await sql('UPDATE orders SET delivery_charge = 4.90 WHERE id = $1', [id]);
await sql('UPDATE strains SET image_url = $2 WHERE id = $1', [second.id, 'https://images.example/2.png']);
await sql('UPDATE strains SET name = $2, retail_price = 99 WHERE id = $1', [first.id, `Renamed ${first.id}`]);

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

it('returns every field of the order, and its lines as they were when it was placed', async () => {
  for (const caller of [holder, holder.signedIn]) {
    const reply = await caller.ask('GET', `/dapp/orders/${id}`);
    expect(reply.status).toBe(200);
    const order: OrderWithLines = {
      id,
      invoiceNumber,
      orderStatus: 'CANCELLED',
      status: 'CANCELLED',
      paymentStatus: 'FAILED',
      adminApproval: 'REJECTED',
      rejectionNote: 'The address is a post box.',
      note: null,
      shipping: null,
      subTotal: 48.07,
      deliveryCharge: 4.9,
      totalAmount: 52.97,
      ...plainOrderFields,
      totalQuantity: 7,
      currency: 'EUR',
      createdAt: '2026-01-02T03:04:05.006Z',
      updatedAt: expect.any(String),
      client: { id: client.id, firstName: 'Ada', lastName: 'Example', email: client.email },
      nft: { tokenId },
      orderLines: [
        {
          id: expect.stringMatching(uuid),
          quantity: 4,
          productAmount: 12.5,
          unitPrice: 12.5,
          totalAmount: 50,
          strain: { id: first.id, name: 'First of then', type: 'HYBRID', imageUrl: null },
        },
        {
          id: expect.stringMatching(uuid),
          quantity: 3,
          productAmount: 0.99,
          unitPrice: 0.99,
          totalAmount: 2.97,
          strain: {
            id: second.id,
            name: 'Second of then',
            type: 'HYBRID',
            imageUrl: 'https://images.example/2.png',
          },
        },
      ],
    };
    expect(reply.envelope).toEqual({
      success: true,
      statusCode: 200,
      message: 'Success',
      data: {
        ...order,
        client: { ...order.client, shippings: [expect.objectContaining({ address1: 'Rua do Exemplo 1' })] },
        ...{ payments: [], refunds: [], shipments: [] },
        orderDetails: order,
      },
    });
  }
});

it('derives ids of lines that differ, and stay the same', async () => {
  const read = async () => dataOf<OrderWithLines>(await holder.ask('GET', `/dapp/orders/${id}`));
  const lineIds = (await read()).orderLines.map((line) => line.id);
  expect(new Set([id, ...lineIds]).size).toBe(3);
  expect((await read()).orderLines.map((line) => line.id)).toEqual(lineIds);
});

it('knows an order by its id in capitals too', async () => {
  expect(dataOf<OrderWithLines>(await holder.ask('GET', `/dapp/orders/${id.toUpperCase()}`)).id).toBe(id);
});
