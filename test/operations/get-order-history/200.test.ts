import type { OrderHistory, OrderWithLines } from '@keyfront/protocol';
import { expect, it } from 'vitest';
import { insertOrder, insertReadyClient } from '../../support/order-data.ts';
import { dataOf, openStorefront } from '../../support/storefront.ts';
import { insertClient } from '../../support/storefront-data.ts';

const { holder, admin, sql } = await openStorefront();

const historyOf = async (id: string, caller: Pick<typeof holder, 'ask'> = holder) =>
  dataOf<OrderHistory>(await caller.ask('GET', `/dapp/orders/${id}/history`)).history;
const move = async (id: string, body: object) =>
  dataOf<OrderWithLines>(await admin.ask('PATCH', `/admin/orders/${id}`, { body }));

it('returns every state that the order was in, the first one first, with its time and who brought it there', async () => {
  const { clientId } = await insertReadyClient(sql, holder.tokenId);
  const placed = dataOf<OrderWithLines>(await holder.ask('POST', '/dapp/orders', { body: { clientId } }));
  const worked = await move(placed.id, {
    adminApproval: 'VERIFIED',
    orderStatus: 'PROCESSING',
    paymentStatus: 'PAID',
  });
  // Nothing new, so nothing to keep.
  await move(placed.id, { orderStatus: 'PROCESSING' });
  const rejected = await move(placed.id, { adminApproval: 'REJECTED', rejectionNote: 'Fraud.' });
  await sql(`UPDATE orders SET payment_status = 'REFUNDED', refunded_amount = paid_amount WHERE id = $1`, [
    placed.id,
  ]);
  const refunded = dataOf<OrderWithLines>(await holder.ask('GET', `/dapp/orders/${placed.id}`));
  const expected: OrderHistory['history'] = [
    {
      orderStatus: 'PENDING',
      paymentStatus: 'PENDING',
      adminApproval: 'PENDING',
      rejectionNote: null,
      changedAt: placed.createdAt,
      author: 'HOLDER',
    },
    {
      orderStatus: 'PROCESSING',
      paymentStatus: 'PAID',
      adminApproval: 'VERIFIED',
      rejectionNote: null,
      changedAt: worked.updatedAt,
      author: 'ADMINISTRATOR',
    },
    {
      orderStatus: 'CANCELLED',
      paymentStatus: 'PAID',
      adminApproval: 'REJECTED',
      rejectionNote: 'Fraud.',
      changedAt: rejected.updatedAt,
      author: 'ADMINISTRATOR',
    },
    {
      orderStatus: 'CANCELLED',
      paymentStatus: 'REFUNDED',
      adminApproval: 'REJECTED',
      rejectionNote: 'Fraud.',
      changedAt: refunded.updatedAt,
      author: 'SERVICE',
    },
  ];
  expect(await historyOf(placed.id)).toEqual(expected);
  expect(await historyOf(placed.id.toUpperCase(), holder.signedIn)).toEqual(expected);
});

it('does not reveal which administrator', async () => {
  const client = await insertClient(sql, holder.tokenId);
  const id = await insertOrder(sql, holder.tokenId, client.id);
  await move(id, { adminApproval: 'VERIFIED', orderStatus: 'SHIPPED' });
  const reply = await holder.ask('GET', `/dapp/orders/${id}/history`);
  expect(dataOf<OrderHistory>(reply).history).toHaveLength(2);
  expect(reply.text.toLowerCase()).not.toContain(admin.walletAddress.toLowerCase());
});

it('is of this order alone', async () => {
  const client = await insertClient(sql, holder.tokenId);
  const [one, other] = [
    await insertOrder(sql, holder.tokenId, client.id),
    await insertOrder(sql, holder.tokenId, client.id),
  ];
  await move(one, { orderStatus: 'CANCELLED' });
  expect(await historyOf(one)).toHaveLength(2);
  expect(await historyOf(other)).toHaveLength(1);
});
