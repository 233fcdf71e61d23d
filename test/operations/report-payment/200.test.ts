import { type AuditPage, type OrderHistory, paymentStatuses } from '@keyfront/protocol';
import { describe, expect, it } from 'vitest';
import { openPayments } from '../../support/payment-data.ts';
import { dataOf, openStorefront } from '../../support/storefront.ts';

const storefront = await openStorefront();
const { holder, admin, sql } = storefront;
const { insertOrder, openCheckout, statusOf, report } = openPayments(storefront);

it('moves the payment of the order, with history and audit', async () => {
  const orderId = await insertOrder();
  const { payUrl } = await openCheckout(orderId);
  for (const status of ['PROCESSING', 'PAID', 'PAID', 'REFUNDED']) {
    expect(dataOf(await report(payUrl, status))).toMatchObject({ status });
    expect(await statusOf(orderId)).toMatchObject({ status });
  }
  const { history } = dataOf<OrderHistory>(await holder.ask('GET', `/dapp/orders/${orderId}/history`));
  expect(history.map(({ paymentStatus }) => paymentStatus)).toEqual([
    'PENDING',
    'PROCESSING',
    'PAID',
    'REFUNDED',
  ]);
  const { entries } = dataOf<AuditPage>(await admin.ask('GET', `/admin/audit?subjectId=${orderId}`));
  const common = { administrator: null, provider: 'PAYMENT', subject: 'ORDER', action: 'CHANGE' };
  expect(entries).toMatchObject([
    { ...common, before: { refundedAmount: 0 }, after: { refundedAmount: 75 } },
    { ...common, before: { paymentStatus: 'PROCESSING', paidAmount: 0 } },
    { ...common, before: { paymentStatus: 'PENDING' }, after: { paymentStatus: 'PROCESSING' } },
  ]);
});

it.each([75, 75.0, '75', '75.00', '75.0'])('accepts the amount as %j', async (amount) => {
  const orderId = await insertOrder();
  const { payUrl } = await openCheckout(orderId);
  expect((await report(payUrl, 'PAID', { amount })).status).toBe(200);
});

describe('every pair of states', () => {
  // Written out a second time, on purpose.
  const mayFollow = new Set([
    'PENDING PROCESSING',
    'PENDING PAID',
    'PENDING FAILED',
    'PROCESSING PAID',
    'PROCESSING FAILED',
    'PAID REFUNDED',
  ]);
  const pairs = paymentStatuses.flatMap((before) =>
    ['PROCESSING', 'PAID', 'FAILED', 'REFUNDED'].map((after) => [before, after] as const),
  );

  it.each(pairs)('%s → %s, for an order as for a cancelled one', async (before, after) => {
    for (const order_status of ['PENDING', 'CANCELLED']) {
      const orderId = await insertOrder();
      const { payUrl } = await openCheckout(orderId);
      await sql(
        `UPDATE payment_checkouts SET status = $2, paid_at = CASE WHEN $2 IN ('PAID', 'REFUNDED') THEN now() END WHERE order_id = $1`,
        [orderId, before],
      );
      await sql(
        `UPDATE orders SET payment_status = $2, order_status = $3, paid_amount = CASE WHEN $2 IN ('PAID', 'REFUNDED') THEN 75 ELSE 0 END,
           refunded_amount = CASE WHEN $2 = 'REFUNDED' THEN 75 ELSE 0 END
         WHERE id = $1`,
        [orderId, before, order_status],
      );
      const isCancelled = order_status === 'CANCELLED';
      const isAllowed =
        before === after ||
        // Money that arrives for a cancelled order is recorded, unless it is the same that was refunded.
        (isCancelled && after === 'PAID' && before !== 'REFUNDED') ||
        (mayFollow.has(`${before} ${after}`) &&
          !(isCancelled && before === 'PENDING' && after === 'PROCESSING'));
      const reply = await report(payUrl, after);
      expect([order_status, reply.status, reply.envelope.code]).toEqual([
        order_status,
        ...(isAllowed ? [200, undefined] : [403, 'ORDER_TRANSITION_REFUSED']),
      ]);
      const [order] = await sql('SELECT payment_status FROM orders WHERE id = $1', [orderId]);
      expect(order).toEqual({ payment_status: isAllowed ? after : before });
    }
  });
});

describe('refunds', () => {
  it('of a part leave the payment PAID, and those of the rest end it', async () => {
    const orderId = await insertOrder();
    const { payUrl } = await openCheckout(orderId);
    dataOf(await report(payUrl, 'PAID'));
    expect(dataOf(await report(payUrl, 'REFUNDED', { amount: 5 }))).toMatchObject({ status: 'PAID' });
    expect(await statusOf(orderId)).toMatchObject({ status: 'PAID' });
    expect(dataOf(await report(payUrl, 'REFUNDED', { amount: 70 }))).toMatchObject({ status: 'REFUNDED' });
    expect(await statusOf(orderId)).toMatchObject({ status: 'REFUNDED' });
    expect(dataOf(await holder.ask('GET', `/dapp/orders/${orderId}`))).toMatchObject({
      ...{ paidAmount: 75, refundedAmount: 75 },
      refunds: [{ amount: 5 }, { amount: 70 }],
    });
  });

  it('of a late payment by an earlier link are recorded', async () => {
    const orderId = await insertOrder();
    const first = await openCheckout(orderId);
    await openCheckout(orderId, 'https://shop.example/thanks');
    dataOf(await holder.ask('PATCH', `/dapp/orders/${orderId}`, { body: { orderStatus: 'CANCELLED' } }));
    dataOf(await report(first.payUrl, 'PAID'));
    expect(dataOf(await holder.ask('GET', `/dapp/orders/${orderId}`))).toMatchObject({ refundDue: 75 });
    expect(dataOf(await report(first.payUrl, 'REFUNDED'))).toMatchObject({ status: 'REFUNDED' });
    expect(dataOf(await holder.ask('GET', `/dapp/orders/${orderId}`))).toMatchObject({
      ...{ refundDue: 0, refundedAmount: 75, paymentStatus: 'REFUNDED' },
    });
  });
});

it('records the second payment of an order that an administrator has noted as paid', async () => {
  const orderId = await insertOrder();
  const { payUrl } = await openCheckout(orderId);
  dataOf(await admin.ask('PATCH', `/admin/orders/${orderId}`, { body: { paymentStatus: 'PAID' } }));
  expect(dataOf(await report(payUrl, 'PAID'))).toMatchObject({ status: 'PAID' });
  expect(dataOf(await holder.ask('GET', `/dapp/orders/${orderId}`))).toMatchObject({
    ...{ paidAmount: 150, refundDue: 75, orderStatus: 'PENDING', paymentStatus: 'PAID' },
  });
  expect(dataOf(await report(payUrl, 'REFUNDED'))).toMatchObject({ status: 'REFUNDED' });
  expect(dataOf(await holder.ask('GET', `/dapp/orders/${orderId}`))).toMatchObject({
    ...{ paidAmount: 150, refundedAmount: 75, refundDue: 0, paymentStatus: 'PAID' },
  });
});
