import type { AuditPage, OrderDetails } from '@keyfront/protocol';
import { expect, it } from 'vitest';
import { followEvents } from '../../support/event-data.ts';
import { openPayments } from '../../support/payment-data.ts';
import { openShipping, refundIn } from '../../support/shipped-orders.ts';
import { dataOf, openStorefront } from '../../support/storefront.ts';

const storefront = await openStorefront();
const { holder, admin } = storefront;
const { placeOrder } = openShipping(storefront);
const payments = openPayments(storefront);

it('refunds an amount, then the rest, in whole cents', async () => {
  const order = await placeOrder();
  const refund = refundIn(await order.refund({ amount: '0.01' }));
  expect(refund).toEqual({
    id: expect.any(String),
    orderId: order.id,
    amount: 0.01,
    currency: 'EUR',
    reason: 'Broken',
    orderLines: [],
    isRestocked: false,
    createdAt: expect.any(String),
  });
  expect(await order.read()).toMatchObject({
    paymentStatus: 'PAID',
    paidAmount: 52.97,
    refundedAmount: 0.01,
    refundDue: 0,
    refunds: [refund],
  });
  expect(refundIn(await order.refund({})).amount).toBe(52.96);
  const after = await order.read();
  expect(after).toMatchObject({ paymentStatus: 'REFUNDED', refundedAmount: 52.97, refundDue: 0 });
  expect(after.payments).toMatchObject([{ status: 'REFUNDED', amount: 52.97, reference: null }]);
  const { entries } = dataOf<AuditPage>(await admin.ask('GET', `/admin/audit?subjectId=${order.id}&take=1`));
  expect(entries).toMatchObject([
    { before: { paymentStatus: 'PAID', refundedAmount: 0.01 }, after: { paymentStatus: 'REFUNDED' } },
  ]);
});

it('refunds lines at the price of the order, and returns them to the stock only on request', async () => {
  const order = await placeOrder();
  const line = (quantity: number) => ({ orderLines: [{ id: order.first, quantity }] });
  expect(refundIn(await order.refund(line(1)))).toMatchObject({ amount: 12.5, isRestocked: false });
  expect(await order.stock()).toEqual([6, 7]);
  expect(refundIn(await order.refund({ ...line(2), restock: true }))).toMatchObject({
    amount: 25,
    ...line(2),
    isRestocked: true,
  });
  expect(await order.stock()).toEqual([8, 7]);
  // What has come back does not come back again with the cancellation, and what is broken does not at all.
  dataOf(await order.change({ orderStatus: 'CANCELLED' }));
  expect(await order.stock()).toEqual([9, 10]);
  expect(await order.read()).toMatchObject({ paymentStatus: 'PAID', refundDue: 15.47 });
  expect((await order.refund({ restock: true })).envelope).toMatchObject({
    code: 'REFUND_REFUSED',
    message: 'The stock of this order is returned already',
  });
});

it('refunds everything with all that is left of the goods', async () => {
  const order = await placeOrder();
  await order.refund({ orderLines: [{ id: order.second, quantity: 1 }] });
  const refund = refundIn(await order.refund({ restock: true }));
  expect(refund).toMatchObject({
    amount: 51.98,
    orderLines: [
      { id: order.first, quantity: 4 },
      { id: order.second, quantity: 2 },
    ],
  });
  expect(await order.stock()).toEqual([10, 9]);
});

it('refuses more than was paid, what was not paid, and units that are refunded', async () => {
  const order = await placeOrder();
  const refused = async (body: object) => {
    const { status, envelope } = await order.refund(body);
    return [status, envelope.code, envelope.message];
  };
  expect(await refused({ amount: 52.98 })).toEqual([
    ...[403, 'REFUND_TOO_LARGE', 'Of the payment, 52.97 EUR are left to refund'],
  ]);
  await order.refund({ orderLines: [{ id: order.first, quantity: 3 }] });
  const [, code, message] = await refused({ orderLines: [{ id: order.first, quantity: 2 }] });
  expect([code, message]).toEqual(['REFUND_TOO_LARGE', expect.stringMatching(/, 1 unit is left to refund$/)]);
  // The goods are worth more than what is left of the payment.
  await order.refund({ amount: 15 });
  expect((await refused({ orderLines: [{ id: order.first, quantity: 1 }] }))[1]).toBe('REFUND_TOO_LARGE');
  await order.refund({});
  expect(await refused({})).toEqual([403, 'REFUND_REFUSED', 'The payment of this order is REFUNDED']);
  const unpaid = await placeOrder(null);
  expect((await unpaid.refund({})).envelope).toMatchObject({
    code: 'REFUND_REFUSED',
    message: 'The payment of this order is PENDING',
  });
});

it.each<[object, string[]]>([
  [
    { amount: 1, orderLines: [{ id: '019a8f3e-7c00-8000-8000-000000000001', quantity: 1 }] },
    ['amount must not be given with orderLines'],
  ],
  [{ amount: 1, restock: true }, ['restock must not be given with amount']],
  [{ amount: 0 }, ['amount must be greater than 0']],
  [{ amount: 0.001 }, [expect.stringContaining('amount must')]],
  [{ reason: ' ' }, ['reason should not be empty']],
  [{ orderLines: [] }, ['orderLines should not be empty']],
])('rejects %j', async (body, issues) => {
  const order = await placeOrder();
  const { status, envelope } = await order.refund(body);
  expect([status, envelope.data]).toEqual([400, issues]);
});

it('takes effect once with an Idempotency-Key, and never more than was paid when twenty refund at once', async () => {
  const order = await placeOrder();
  const key = { 'idempotency-key': crypto.randomUUID() };
  const repeated = await Promise.all([1, 2, 3].map(() => order.refund({ amount: 10 }, key)));
  expect(repeated.filter(({ status }) => status === 201).length).toBeGreaterThan(0);
  expect((await order.refund({ amount: 10 }, key)).headers.get('idempotent-replayed')).toBe('true');
  expect((await order.read()).refundedAmount).toBe(10);
  const replies = await Promise.all(Array.from({ length: 20 }, () => order.refund({ amount: 10 })));
  expect(replies.filter(({ status }) => status === 201)).toHaveLength(4);
  expect(await order.read()).toMatchObject({ refundedAmount: 50, paymentStatus: 'PAID' });
});

it('is an event each time, with the amounts of that moment', async () => {
  const log = followEvents(holder, 'payment.*');
  await log.readOn();
  const order = await placeOrder();
  await order.refund({ amount: 2.97 });
  await order.refund({});
  const events = await log.waitFor('payment.refunded');
  expect(
    events.map(({ type, data }) => [type, data.paidAmount, data.refundedAmount, data.paymentStatus]),
  ).toEqual([
    ['payment.paid', 52.97, 0, 'PAID'],
    ['payment.refunded', 52.97, 2.97, 'PAID'],
    ['payment.refunded', 52.97, 52.97, 'REFUNDED'],
  ]);
});

it('is recorded when the provider reports it, in parts, and never more than was paid', async () => {
  const orderId = await payments.insertOrder();
  const { payUrl } = await payments.openCheckout(orderId);
  const report = (status: string, amount: number) => payments.report(payUrl, status, { amount });
  expect((await report('REFUNDED', 10)).envelope.code).toBe('ORDER_TRANSITION_REFUSED');
  expect((await report('PAID', 75)).status).toBe(200);
  expect((await report('REFUNDED', 10)).status).toBe(200);
  const read = async () => dataOf(await holder.ask('GET', `/dapp/orders/${orderId}`));
  expect(await read()).toMatchObject({ paymentStatus: 'PAID', refundedAmount: 10 });
  expect((await report('REFUNDED', 65.01)).envelope).toMatchObject({
    code: 'REFUND_TOO_LARGE',
    message: 'Of the payment, 65.00 EUR are left to refund',
  });
  expect((await report('REFUNDED', 65)).status).toBe(200);
  // All of it went back: to report that again is a no-op.
  expect((await report('REFUNDED', 75)).status).toBe(200);
  expect(await read()).toMatchObject({ paymentStatus: 'REFUNDED', refundedAmount: 75, refunds: [{}, {}] });
});

it('is due for a payment that arrives for a cancelled order, which an event tells', async () => {
  const log = followEvents(holder, 'payment.*');
  await log.readOn();
  const orderId = await payments.insertOrder();
  const { payUrl } = await payments.openCheckout(orderId);
  dataOf(await holder.ask('PATCH', `/dapp/orders/${orderId}`, { body: { orderStatus: 'CANCELLED' } }));
  expect((await payments.report(payUrl, 'PAID')).status).toBe(200);
  const read = async () => dataOf(await holder.ask('GET', `/dapp/orders/${orderId}`));
  expect(await read()).toMatchObject({
    orderStatus: 'CANCELLED',
    paymentStatus: 'PAID',
    paidAmount: 75,
    refundDue: 75,
    payments: [{ status: 'PAID', amount: 75 }],
  });
  const events = await log.waitFor('payment.refund_due');
  expect(events.map(({ type, data }) => [type, data.id, data.refundDue])).toEqual([
    ['payment.paid', orderId, 75],
    ['payment.refund_due', orderId, 75],
  ]);
  const due = async () =>
    dataOf<{ orders: { id: string }[] }>(await holder.ask('GET', '/dapp/orders?refundDue=true')).orders.map(
      ({ id }) => id,
    );
  expect(await due()).toContain(orderId);
  dataOf(await admin.ask('POST', `/admin/orders/${orderId}/refunds`, { body: { reason: 'Cancelled' } }));
  expect(await due()).not.toContain(orderId);
  expect(await read()).toMatchObject({ paymentStatus: 'REFUNDED', refundDue: 0 });
});

it('of a provider is about its own payment, and of an administrator about the oldest first', async () => {
  const orderId = await payments.insertOrder();
  const links = [
    await payments.openCheckout(orderId),
    await payments.openCheckout(orderId, 'https://shop.example/'),
  ];
  dataOf(await admin.ask('PATCH', `/admin/orders/${orderId}`, { body: { orderStatus: 'CANCELLED' } }));
  const [first, second] = links.map(({ payUrl }) => payUrl);
  const report = (payUrl: string | null | undefined, status: string, amount: number) =>
    payments.report(payUrl ?? null, status, { amount });
  for (const payUrl of [first, second]) expect((await report(payUrl, 'PAID', 75)).status).toBe(200);
  const read = async () => {
    const order = dataOf<OrderDetails>(await holder.ask('GET', `/dapp/orders/${orderId}`));
    return [order.refundDue, order.paymentStatus, ...order.payments.map(({ status }) => status)];
  };
  expect(await read()).toEqual([150, 'PAID', 'PAID', 'PAID']);
  expect((await report(second, 'REFUNDED', 75.01)).envelope.code).toBe('REFUND_TOO_LARGE');
  // The same report again changes nothing, also with an id of its own.
  for (let time = 0; time < 2; time++) {
    expect(dataOf(await report(second, 'REFUNDED', 75))).toMatchObject({ status: 'REFUNDED' });
    expect(await read()).toEqual([75, 'PAID', 'PAID', 'REFUNDED']);
  }
  expect(dataOf(await report(first, 'REFUNDED', 5))).toMatchObject({ status: 'PAID' });
  expect((await report(first, 'REFUNDED', 0)).envelope.data).toEqual(['amount must be greater than 0']);
  dataOf(await admin.ask('POST', `/admin/orders/${orderId}/refunds`, { body: { amount: 70, reason: 'x' } }));
  expect(await read()).toEqual([0, 'REFUNDED', 'REFUNDED', 'REFUNDED']);
});

it('of everything leaves nothing to send, however it was recorded', async () => {
  const [all, amount, noted] = [await placeOrder(), await placeOrder(), await placeOrder()];
  await all.refund({});
  await amount.refund({ amount: 52.97 });
  await noted.change({ paymentStatus: 'REFUNDED' });
  for (const order of [all, amount, noted]) {
    expect((await order.ship({ carrier: 'Comet' })).envelope).toMatchObject({
      code: 'ORDER_CLOSED',
      message: 'An order that was refunded is not sent any more',
    });
  }
});

it('of what was not sent ships the order', async () => {
  const order = await placeOrder();
  await order.ship({ carrier: 'Comet', orderLines: [{ id: order.first, quantity: 4 }] });
  expect((await order.read()).orderStatus).toBe('PROCESSING');
  await order.refund({ orderLines: [{ id: order.second, quantity: 3 }], restock: true });
  expect(await order.read()).toMatchObject({ orderStatus: 'SHIPPED', paymentStatus: 'PAID' });
});

it('is due in full for an order that was paid twice and whose goods came back', async () => {
  const order = await placeOrder(null);
  const { payUrl } = await payments.openCheckout(order.id);
  dataOf(await order.change({ paymentStatus: 'PAID' }));
  dataOf(await payments.report(payUrl, 'PAID', { amount: 52.97 }));
  expect(await order.read()).toMatchObject({ paidAmount: 105.94, refundDue: 52.97 });
  const orderLines = [
    { id: order.first, quantity: 4 },
    { id: order.second, quantity: 2 },
  ];
  expect(refundIn(await order.refund({ orderLines, restock: true })).amount).toBe(51.98);
  // The order costs 0.99 now, and 53.96 are left of the payments.
  expect((await order.read()).refundDue).toBe(52.97);
  refundIn(await order.refund({ amount: 52.97 }));
  expect(await order.read()).toMatchObject({ paymentStatus: 'PAID', refundedAmount: 104.95, refundDue: 0 });
});

it('takes the refund of an administrator from what an administrator has noted, and that of the provider from its own', async () => {
  const order = await placeOrder(null);
  const { payUrl } = await payments.openCheckout(order.id);
  dataOf(await order.change({ paymentStatus: 'PAID' }));
  const amount = 52.97;
  dataOf(await payments.report(payUrl, 'PAID', { amount }));
  refundIn(await order.refund({ amount }));
  expect((await order.read()).payments).toMatchObject([
    { status: 'PAID' },
    { reference: null, status: 'REFUNDED' },
  ]);
  dataOf(await payments.report(payUrl, 'REFUNDED', { amount }));
  expect(await order.read()).toMatchObject({ paymentStatus: 'REFUNDED', refundedAmount: 105.94 });
});

it('is not the end: a payment that arrives after it is recorded', async () => {
  const order = await placeOrder(null);
  const { payUrl } = await payments.openCheckout(order.id);
  dataOf(await order.change({ paymentStatus: 'PAID' }));
  refundIn(await order.refund({ orderLines: [{ id: order.first, quantity: 4 }] }));
  refundIn(await order.refund({ amount: 2.97 }));
  expect((await order.read()).paymentStatus).toBe('REFUNDED');
  dataOf(await payments.report(payUrl, 'PAID', { amount: 52.97 }));
  // Of the goods, 2.97 were not returned.
  expect(await order.read()).toMatchObject({ paymentStatus: 'PAID', paidAmount: 105.94, refundDue: 50 });
});
