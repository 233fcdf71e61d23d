import type { AdminOrderChange, OrderDetails, OrderHistory, OrderWithLines } from '@keyfront/protocol';
import pg from 'pg';
import { describe, expect, it } from 'vitest';
import { countWaitingForLock } from '../../support/connections.ts';
import { insertOrder, stockOf } from '../../support/order-data.ts';
import { openShipping, refundIn, shipmentIn } from '../../support/shipped-orders.ts';
import { dataOf, openStorefront } from '../../support/storefront.ts';
import { insertCart, insertClient, insertStrain } from '../../support/storefront-data.ts';
import { until } from '../../support/until.ts';

const storefront = await openStorefront();
const { service, holder, admin, sql } = storefront;
const { placeOrder: placePaidOrder } = openShipping(storefront);
const { tokenId } = holder;

/** An order of four and three out of ten and ten, placed as a holder does. */
async function placeOrder() {
  const client = await insertClient(sql, tokenId);
  const strains = [await insertStrain(sql, { stock: 10 }), await insertStrain(sql, { stock: 10 })] as const;
  await insertCart(sql, tokenId, client.id, [
    { strainId: strains[0].id, quantity: 4 },
    { strainId: strains[1].id, quantity: 3 },
  ]);
  const order = dataOf<OrderWithLines>(
    await holder.ask('POST', '/dapp/orders', { body: { clientId: client.id } }),
  );
  const stock = () => Promise.all(strains.map(({ id }) => stockOf(sql, id)));
  expect(await stock()).toEqual([6, 7]);
  return { order, id: order.id, strains, stock };
}

const ask = (id: string, body: AdminOrderChange) => admin.ask('PATCH', `/admin/orders/${id}`, { body });
async function move(id: string, body: AdminOrderChange): Promise<OrderWithLines> {
  const reply = await ask(id, body);
  expect(reply.envelope).toMatchObject({ success: true, statusCode: 200, message: 'Success' });
  return dataOf<OrderWithLines>(reply);
}
const read = async (id: string) =>
  dataOf<OrderDetails>(await holder.ask('GET', `/dapp/orders/${id}`)).orderDetails;
const historyOf = async (id: string) =>
  dataOf<OrderHistory>(await holder.ask('GET', `/dapp/orders/${id}/history`)).history;
const auditOf = (id: string) =>
  sql('SELECT administrator, subject, action, before, after FROM audit WHERE subject_id = $1 ORDER BY id', [
    id,
  ]);
const stageOf = async (id: string) =>
  (await sql<{ stage: string }>('SELECT stage FROM sales WHERE order_id = $1', [id])).map(
    ({ stage }) => stage,
  );

/** Holds an order until several of those who want to change it wait for it, so that they are sure to meet. */
async function whileHeld<Result>(id: string, work: () => Promise<Result>): Promise<Result> {
  const other = new pg.Client({ connectionString: service.ownerUrl });
  await other.connect();
  try {
    await other.query('BEGIN');
    await other.query('SELECT FROM keyfront.orders WHERE id = $1 FOR UPDATE', [id]);
    const working = work();
    await until(
      () => countWaitingForLock(service.ownerUrl),
      (count) => count >= 2,
    );
    await other.query('COMMIT');
    return await working;
  } finally {
    await other.end();
  }
}

const cancelled = { orderStatus: 'CANCELLED' } as const;
const rejected = { adminApproval: 'REJECTED' } as const;

it('returns every field of the order, which its holder sees too', async () => {
  const { id, order } = await placeOrder();
  const change = { orderStatus: 'CANCELLED', paymentStatus: 'FAILED', adminApproval: 'REJECTED' } as const;
  const after = await move(id, { ...change, rejectionNote: 'The address is a post box.' });
  expect(after).toEqual({
    ...order,
    ...change,
    status: 'CANCELLED',
    rejectionNote: 'The address is a post box.',
    updatedAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
  });
  expect(after.updatedAt >= order.updatedAt).toBe(true);
  expect(await read(id)).toEqual(after);
  expect((await move(id.toUpperCase(), change)).id).toBe(id);
});

describe('a move', () => {
  it.each<[AdminOrderChange, Partial<OrderWithLines>]>([
    [{ adminApproval: 'VERIFIED' }, {}],
    [{ paymentStatus: 'PROCESSING' }, {}],
    [{ paymentStatus: 'PAID' }, { paidAmount: 70 }],
    [{ paymentStatus: 'FAILED' }, {}],
    [{ orderStatus: 'PROCESSING', adminApproval: 'VERIFIED' }, {}],
    [{ orderStatus: 'SHIPPED', adminApproval: 'VERIFIED' }, {}],
    [{ orderStatus: 'DELIVERED', adminApproval: 'VERIFIED' }, {}],
    [{ orderStatus: 'DELIVERED', paymentStatus: 'PAID', adminApproval: 'VERIFIED' }, { paidAmount: 70 }],
    [
      { ...cancelled, paymentStatus: 'PAID' },
      { paidAmount: 70, refundDue: 70 },
    ],
    [cancelled, {}],
    [{ orderStatus: 'CANCELLED', adminApproval: 'VERIFIED' }, {}],
    [rejected, { orderStatus: 'CANCELLED' }],
    [{ ...rejected, ...cancelled }, {}],
    [{ ...rejected, rejectionNote: 'Because.' }, { orderStatus: 'CANCELLED' }],
  ])('of a new order to %j changes that, what follows from it, and nothing else', async (body, follows) => {
    const { id, order } = await placeOrder();
    const after = await move(id, body);
    const status = after.orderStatus;
    expect(after).toEqual({ ...order, ...body, ...follows, status, updatedAt: after.updatedAt });
    expect(await read(id)).toEqual(after);
  });

  it('goes all the way to the delivered and paid order, and to its refund', async () => {
    const { id, stock } = await placeOrder();
    const walk: AdminOrderChange[] = [
      { adminApproval: 'VERIFIED' },
      { orderStatus: 'PROCESSING', paymentStatus: 'PROCESSING' },
      { orderStatus: 'SHIPPED' },
      { paymentStatus: 'PAID' },
      { orderStatus: 'DELIVERED' },
      { paymentStatus: 'REFUNDED' },
    ];
    for (const step of walk) expect(await move(id, step)).toMatchObject(step);
    expect(await stock()).toEqual([6, 7]);
    expect(await historyOf(id)).toHaveLength(walk.length + 1);
    expect(await auditOf(id)).toHaveLength(walk.length);
  });
});

describe('the stock', () => {
  it.each<[string, AdminOrderChange[]]>([
    ['a cancellation', [cancelled]],
    ['a rejection', [rejected]],
    [
      'a cancellation of what was being worked on',
      [{ adminApproval: 'VERIFIED', orderStatus: 'PROCESSING' }, cancelled],
    ],
    ['a rejection of what was approved', [{ adminApproval: 'VERIFIED' }, rejected]],
    ['two cancellations', [cancelled, cancelled]],
    ['two rejections', [rejected, rejected]],
    ['a rejection and a cancellation', [rejected, cancelled]],
    [
      'a rejection and what is written later',
      [rejected, { paymentStatus: 'FAILED' }, { rejectionNote: 'x' }],
    ],
  ])('comes back once after %s', async (_what, walk) => {
    const { id, stock } = await placeOrder();
    for (const step of walk) await move(id, step);
    expect(await stock()).toEqual([10, 10]);
  });

  it.each<AdminOrderChange>([
    { adminApproval: 'VERIFIED' },
    { paymentStatus: 'FAILED' },
    { adminApproval: 'VERIFIED', orderStatus: 'PROCESSING' },
    { adminApproval: 'VERIFIED', orderStatus: 'SHIPPED' },
    { adminApproval: 'VERIFIED', orderStatus: 'DELIVERED' },
  ])('does not come back with %j', async (body) => {
    const { id, stock } = await placeOrder();
    await move(id, body);
    expect(await stock()).toEqual([6, 7]);
  });

  it('comes back once when twenty cancel at the same time, and leaves one trace', async () => {
    const { id, stock } = await placeOrder();
    const answers = await whileHeld(id, () =>
      Promise.all(Array.from({ length: 20 }, () => move(id, cancelled))),
    );
    expect(new Set(answers.map((answer) => JSON.stringify(answer))).size).toBe(1);
    expect(await stock()).toEqual([10, 10]);
    expect(await historyOf(id)).toHaveLength(2);
    expect(await auditOf(id)).toHaveLength(1);
    expect(await stageOf(id)).toEqual(['CLOSED']);
  });

  it('comes back once, or not at all, when some cancel while others reject and ship', async () => {
    for (let round = 0; round < 5; round++) {
      const { id, stock } = await placeOrder();
      const bodies: AdminOrderChange[] = [
        cancelled,
        rejected,
        { adminApproval: 'VERIFIED', orderStatus: 'SHIPPED' },
        cancelled,
        rejected,
      ];
      const replies = await Promise.all(bodies.map((body) => ask(id, body)));
      for (const { status } of replies) expect([200, 403]).toContain(status);
      const { orderStatus } = await read(id);
      expect(await stock()).toEqual(orderStatus === 'CANCELLED' ? [10, 10] : [6, 7]);
    }
  });

  it('comes back of many orders of the same strains at once', async () => {
    const strains = [await insertStrain(sql, { stock: 50 }), await insertStrain(sql, { stock: 50 })] as const;
    const ids: string[] = [];
    for (let each = 0; each < 10; each++) {
      const client = await insertClient(sql, tokenId);
      // By turns one before the other, so that a lock taken in the order of the lines would be met from both sides.
      const [first, second] = each % 2 === 0 ? strains : [strains[1], strains[0]];
      await insertCart(sql, tokenId, client.id, [{ strainId: first.id, quantity: 2 }]);
      await insertCart(sql, tokenId, client.id, [{ strainId: second.id, quantity: 3 }]);
      const reply = await holder.ask('POST', '/dapp/orders', { body: { clientId: client.id } });
      ids.push(dataOf<OrderWithLines>(reply).id);
    }
    expect(await Promise.all(strains.map(({ id }) => stockOf(sql, id)))).toEqual([25, 25]);
    await Promise.all(ids.map((id) => move(id, cancelled)));
    expect(await Promise.all(strains.map(({ id }) => stockOf(sql, id)))).toEqual([50, 50]);
  });

  it('stops at the largest that there can be', async () => {
    const { id, strains } = await placeOrder();
    await sql('UPDATE strain_locations SET stock_quantity = 2147483645 WHERE strain_id = $1', [
      strains[0].id,
    ]);
    await move(id, cancelled);
    expect(await stockOf(sql, strains[0].id)).toBe(2_147_483_647);
  });

  it('comes back once also for an order that was cancelled by other means, without giving it back', async () => {
    const { id, stock } = await placeOrder();
    await sql(`UPDATE orders SET order_status = 'CANCELLED' WHERE id = $1`, [id]);
    for (let round = 0; round < 3; round++) await move(id, cancelled);
    expect(await stock()).toEqual([10, 10]);
  });
});

describe('the sale of the order', () => {
  it.each<AdminOrderChange>([cancelled, rejected, { adminApproval: 'VERIFIED', orderStatus: 'DELIVERED' }])(
    'is closed by %j',
    async (body) => {
      const { id } = await placeOrder();
      expect(await stageOf(id)).toEqual(['ONGOING']);
      await move(id, body);
      expect(await stageOf(id)).toEqual(['CLOSED']);
    },
  );

  it('goes on while the order does', async () => {
    const { id } = await placeOrder();
    for (const body of [
      { adminApproval: 'VERIFIED', orderStatus: 'PROCESSING' },
      { orderStatus: 'SHIPPED' },
    ] as const) {
      await move(id, body);
      expect(await stageOf(id)).toEqual(['ONGOING']);
    }
  });

  it('is closed once: what its holder does with it later stays', async () => {
    const { id } = await placeOrder();
    await move(id, rejected);
    await sql(`UPDATE sales SET stage = 'LEADS' WHERE order_id = $1`, [id]);
    await move(id, { ...rejected, rejectionNote: 'Because.' });
    expect(await stageOf(id)).toEqual(['LEADS']);
  });

  it('need not be there', async () => {
    const client = await insertClient(sql, tokenId);
    const id = await insertOrder(sql, tokenId, client.id);
    expect(await move(id, { orderStatus: 'CANCELLED' })).toMatchObject({ orderStatus: 'CANCELLED' });
  });
});

describe('the rejection note', () => {
  it('can come with the rejection, later, and be changed, also in a single character', async () => {
    const { id } = await placeOrder();
    expect((await move(id, rejected)).rejectionNote).toBeNull();
    expect((await move(id, { rejectionNote: 'a'.repeat(1000) })).rejectionNote).toBe('a'.repeat(1000));
    expect((await move(id, { rejectionNote: 'Because 🌱 "of" that.' })).rejectionNote).toBe(
      'Because 🌱 "of" that.',
    );
    expect(await historyOf(id)).toHaveLength(4);
  });

  it('stays when something else changes', async () => {
    const { id } = await placeOrder();
    await move(id, { paymentStatus: 'PAID' });
    await move(id, { ...rejected, rejectionNote: 'Because.' });
    expect(await move(id, { paymentStatus: 'REFUNDED' })).toMatchObject({
      paymentStatus: 'REFUNDED',
      rejectionNote: 'Because.',
    });
    expect((await move(id, rejected)).rejectionNote).toBe('Because.');
  });
});

describe('what is left behind', () => {
  it('is a history with the administrator as author', async () => {
    const { id, order } = await placeOrder();
    const after = await move(id, { ...rejected, rejectionNote: 'Because.' });
    const asPlaced = { orderStatus: 'PENDING', paymentStatus: 'PENDING', adminApproval: 'PENDING' };
    expect(await historyOf(id)).toEqual([
      { ...asPlaced, rejectionNote: null, changedAt: order.createdAt, author: 'HOLDER' },
      {
        ...asPlaced,
        orderStatus: 'CANCELLED',
        adminApproval: 'REJECTED',
        rejectionNote: 'Because.',
        changedAt: after.updatedAt,
        author: 'ADMINISTRATOR',
      },
    ]);
    const authors = await sql('SELECT author_address FROM order_history WHERE order_id = $1 ORDER BY id', [
      id,
    ]);
    expect(authors).toEqual([
      { author_address: holder.walletAddress },
      { author_address: admin.walletAddress },
    ]);
  });

  it('is a row of audit with what differs, before and after, and nothing else', async () => {
    const { id } = await placeOrder();
    await move(id, { adminApproval: 'VERIFIED', orderStatus: 'PROCESSING', paymentStatus: 'PENDING' });
    await move(id, { paymentStatus: 'PAID' });
    await move(id, { ...rejected, rejectionNote: 'Because.' });
    const row = { administrator: admin.walletAddress, subject: 'ORDER', action: 'CHANGE' };
    expect(await auditOf(id)).toEqual([
      {
        ...row,
        before: { orderStatus: 'PENDING', adminApproval: 'PENDING' },
        after: { orderStatus: 'PROCESSING', adminApproval: 'VERIFIED' },
      },
      { ...row, before: { paymentStatus: 'PENDING' }, after: { paymentStatus: 'PAID' } },
      {
        ...row,
        before: { orderStatus: 'PROCESSING', adminApproval: 'VERIFIED', rejectionNote: null },
        after: { orderStatus: 'CANCELLED', adminApproval: 'REJECTED', rejectionNote: 'Because.' },
      },
    ]);
  });

  it.each<[AdminOrderChange, AdminOrderChange]>([
    [{ paymentStatus: 'PROCESSING' }, { paymentStatus: 'PROCESSING', orderStatus: 'PENDING' }],
    [
      { orderStatus: 'SHIPPED', adminApproval: 'VERIFIED' },
      { orderStatus: 'SHIPPED', adminApproval: 'VERIFIED' },
    ],
    [cancelled, cancelled],
    [
      { ...rejected, rejectionNote: 'Because.' },
      { ...rejected, ...cancelled, rejectionNote: 'Because.' },
    ],
    [{ ...rejected, rejectionNote: 'Because.' }, { rejectionNote: 'Because.' }],
  ])('is nothing at all when after %j the same is asked again as %j', async (first, again) => {
    const { id, stock } = await placeOrder();
    const traces = async () => ({
      order: await sql('SELECT * FROM orders WHERE id = $1', [id]),
      history: await historyOf(id),
      audit: await auditOf(id),
      sale: await sql('SELECT * FROM sales WHERE order_id = $1', [id]),
      stock: await stock(),
    });
    const answer = await move(id, first);
    const before = await traces();
    expect(await move(id, again)).toEqual(answer);
    expect(await traces()).toEqual(before);
  });
});

describe('an order that was refunded', () => {
  it.each(['PROCESSING', 'SHIPPED', 'DELIVERED'] as const)(
    'does not become %s, unless it was sent',
    async (orderStatus) => {
      const order = await placePaidOrder();
      refundIn(await order.refund({ restock: true }));
      expect((await order.change({ orderStatus })).envelope).toMatchObject({
        code: 'ORDER_CLOSED',
        message: 'An order that was refunded is not sent any more',
      });
    },
  );

  it('is delivered if it was sent', async () => {
    const order = await placePaidOrder();
    shipmentIn(await order.ship({ carrier: 'CTT', orderLines: [{ id: order.first, quantity: 1 }] }));
    refundIn(await order.refund({ amount: 52.97 }));
    expect((await order.change({ orderStatus: 'DELIVERED' })).status).toBe(200);
  });
});
