import type { Checkout } from '@keyfront/protocol';
import { expect, it } from 'vitest';
import { openPayments } from '../../support/payment-data.ts';
import { dataOf, openStorefront } from '../../support/storefront.ts';

const storefront = await openStorefront();
const { holder } = storefront;
const { insertOrder, openCheckout, statusOf, report } = openPayments(storefront);

const cancel = (orderId: string) => holder.ask('POST', `/payments/checkout/${orderId}/cancel`);

it('makes the link invalid, and a new one can be made', async () => {
  const orderId = await insertOrder();
  const { payUrl } = await openCheckout(orderId);
  const reply = await cancel(orderId);
  expect([reply.status, dataOf<Checkout>(reply)]).toMatchObject([
    200,
    {
      ...{ orderId, status: 'CANCELLED', payUrl: null, expiresAt: null },
      ...{ state: 'cancelled', paymentStatus: 'PENDING', cancelled: true },
    },
  ]);
  expect(await statusOf(orderId)).toMatchObject({ status: 'CANCELLED' });
  expect((await report(payUrl, 'PAID')).envelope.code).toBe('CHECKOUT_CLOSED');
  expect((await openCheckout(orderId)).payUrl).not.toBe(payUrl);
});

it('does nothing without a valid link', async () => {
  const orderId = await insertOrder();
  expect(dataOf(await cancel(orderId))).toMatchObject({ status: 'PENDING', cancelled: false, payUrl: null });
  await openCheckout(orderId);
  await cancel(orderId);
  expect(dataOf(await cancel(orderId))).toMatchObject({ status: 'CANCELLED' });
});

it.each(['PROCESSING', 'PAID'])('does not cancel a payment that is %s', async (status) => {
  const orderId = await insertOrder();
  await report((await openCheckout(orderId)).payUrl, status);
  const reply = await cancel(orderId);
  expect([reply.status, reply.envelope]).toMatchObject([
    403,
    { code: 'CHECKOUT_REFUSED', message: `A payment that is ${status} cannot be cancelled` },
  ]);
});
