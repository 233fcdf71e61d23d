import { randomUUID } from 'node:crypto';
import type { Checkout, OrderHistory } from '@keyfront/protocol';
import { expect, it } from 'vitest';
import { openPayments, referenceIn } from '../../support/payment-data.ts';
import { dataOf, openStorefront } from '../../support/storefront.ts';

const storefront = await openStorefront();
const { holder } = storefront;
const { insertOrder, openCheckout, statusOf, report, expire } = openPayments(storefront);
const returnUrl = 'https://shop.example/thanks?order=7&lang=pt';

it('gives a link that the customer pays at, for 30 minutes', async () => {
  const orderId = await insertOrder();
  const before = Date.now();
  const checkout = await openCheckout(orderId, returnUrl);
  const back = encodeURIComponent(returnUrl);
  expect(checkout).toEqual({
    orderId,
    status: 'PENDING',
    state: 'pending',
    paymentStatus: 'PENDING',
    cancelled: false,
    payUrl: `https://pay.test/${referenceIn(checkout.payUrl)}?amount=75.00&currency=EUR&back=${back}`,
    expiresAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
    amount: 75,
    currency: 'EUR',
    returnUrl,
  });
  expect(referenceIn(checkout.payUrl)).toMatch(/^[0-9a-f-]{36}$/);
  const validMs = Date.parse(checkout.expiresAt ?? '') - before;
  expect(validMs).toBeGreaterThan(29 * 60_000);
  expect(validMs).toBeLessThan(31 * 60_000);
  expect(await statusOf(orderId)).toEqual(checkout);
});

it('needs no return address', async () => {
  expect(await openCheckout(await insertOrder())).toMatchObject({
    returnUrl: null,
    payUrl: expect.stringMatching(/&back=$/),
  });
});

it('gives the same link again while it is valid', async () => {
  const orderId = await insertOrder();
  const first = await openCheckout(orderId, returnUrl);
  expect(await openCheckout(orderId, returnUrl)).toEqual(first);
  expect(await openCheckout(orderId)).toEqual(first);
});

it('gives one link to many who ask at once', async () => {
  const orderId = await insertOrder();
  const checkouts = await Promise.all(Array.from({ length: 10 }, () => openCheckout(orderId, returnUrl)));
  expect(new Set(checkouts.map(({ payUrl }) => payUrl)).size).toBe(1);
  const rows = await storefront.sql('SELECT FROM payment_checkouts WHERE order_id = $1', [orderId]);
  expect(rows).toHaveLength(1);
});

it('repeats the response for the same Idempotency-Key', async () => {
  const orderId = await insertOrder();
  const headers = { 'idempotency-key': randomUUID() };
  const send = () => holder.ask('POST', '/payments/checkout', { body: { orderId }, headers });
  const [first, second] = [await send(), await send()];
  expect([first.status, second.status, second.text]).toEqual([201, 201, first.text]);
});

it('replaces a link with another return address, and the old one is dead', async () => {
  const orderId = await insertOrder();
  const first = await openCheckout(orderId, returnUrl);
  const second = await openCheckout(orderId, 'https://shop.example/other');
  expect(referenceIn(second.payUrl)).not.toBe(referenceIn(first.payUrl));
  const refused = await report(first.payUrl, 'PAID');
  expect([refused.status, refused.envelope.code]).toEqual([403, 'CHECKOUT_CLOSED']);
  expect((await report(second.payUrl, 'PAID')).status).toBe(200);
});

it('replaces a link that has expired, with the same return address', async () => {
  const orderId = await insertOrder();
  const first = await openCheckout(orderId, returnUrl);
  await expire(first.payUrl);
  expect(await statusOf(orderId)).toMatchObject({ status: 'EXPIRED', payUrl: null, expiresAt: null });
  const second = await openCheckout(orderId);
  expect(second).toMatchObject({ status: 'PENDING', returnUrl });
  expect(referenceIn(second.payUrl)).not.toBe(referenceIn(first.payUrl));
  expect((await report(first.payUrl, 'PAID')).envelope.code).toBe('CHECKOUT_CLOSED');
});

it('accepts a payment in the last moment, although the link has expired', async () => {
  const orderId = await insertOrder();
  const { payUrl } = await openCheckout(orderId);
  await expire(payUrl);
  expect((await report(payUrl, 'PAID')).status).toBe(200);
  expect(await statusOf(orderId)).toMatchObject({ status: 'PAID', payUrl: null });
});

it('lets the customer try a failed payment again', async () => {
  const orderId = await insertOrder();
  const first = await openCheckout(orderId);
  expect((await report(first.payUrl, 'FAILED')).status).toBe(200);
  expect(await statusOf(orderId)).toMatchObject({ status: 'FAILED', payUrl: null });
  const second = await openCheckout(orderId);
  expect(second).toMatchObject({ status: 'PENDING', payUrl: expect.any(String) });
  // The failed attempt cannot succeed any more.
  expect((await report(first.payUrl, 'PAID')).envelope.code).toBe('CHECKOUT_CLOSED');
  expect((await report(second.payUrl, 'PAID')).status).toBe(200);
  const { history } = dataOf<OrderHistory>(await holder.ask('GET', `/dapp/orders/${orderId}/history`));
  expect(history.map(({ paymentStatus }) => paymentStatus)).toEqual(['PENDING', 'FAILED', 'PENDING', 'PAID']);
});

it('gives a new link after an administrator has ended a payment that the provider was processing', async () => {
  const orderId = await insertOrder();
  const first = await openCheckout(orderId);
  expect((await report(first.payUrl, 'PROCESSING')).status).toBe(200);
  const body = { paymentStatus: 'FAILED' };
  dataOf(await storefront.admin.ask('PATCH', `/admin/orders/${orderId}`, { body }));
  const second = await openCheckout(orderId);
  expect((await report(first.payUrl, 'PAID')).envelope.code).toBe('CHECKOUT_CLOSED');
  expect((await report(second.payUrl, 'PAID')).status).toBe(200);
});

it('gives a new link after an administrator has set the payment to failed', async () => {
  const orderId = await insertOrder();
  const first = await openCheckout(orderId);
  for (const paymentStatus of ['PROCESSING', 'FAILED'])
    dataOf(await storefront.admin.ask('PATCH', `/admin/orders/${orderId}`, { body: { paymentStatus } }));
  const second = await openCheckout(orderId);
  expect(second).toMatchObject({
    status: 'PENDING',
    payUrl: expect.any(String),
    expiresAt: expect.any(String),
  });
  expect((await report(first.payUrl, 'PAID')).envelope.code).toBe('CHECKOUT_CLOSED');
  expect((await report(second.payUrl, 'PAID')).status).toBe(200);
});

it('shows the state of an order without a checkout', async () => {
  for (const payment_status of ['PENDING', 'PAID']) {
    const orderId = await insertOrder({ payment_status });
    const expected: Partial<Checkout> = { status: payment_status as 'PAID', payUrl: null, expiresAt: null };
    expect(await statusOf(orderId)).toMatchObject(expected);
  }
});
