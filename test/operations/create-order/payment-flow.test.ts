import { randomUUID } from 'node:crypto';
import type { Checkout, CreatedOrder } from '@keyfront/protocol';
import { expect, it } from 'vitest';
import { ChangeFeed } from '../../../packages/server/src/database/coordination/change-feed.ts';
import { stockOf } from '../../support/order-data.ts';
import { openPayments, referenceIn } from '../../support/payment-data.ts';
import { dataOf, openCallers, openStorefront, startStorefrontService } from '../../support/storefront.ts';
import { insertClient, insertStrain } from '../../support/storefront-data.ts';
import { testProviders } from '../../support/test-providers.ts';

const storefront = await openStorefront();
const { holder, admin, sql } = storefront;
const { statusOf, openCheckout, report } = openPayments(storefront);

async function prepare() {
  const { id: clientId } = await insertClient(sql, holder.tokenId);
  const { id: strainId } = await insertStrain(sql, { stock: 10, price: 12.5 });
  return { strainId, body: { clientId, items: [{ strainId, quantity: 6 }] } };
}

const place = (body: object, headers: Record<string, string> = {}) =>
  holder.ask('POST', '/dapp/orders', { body, headers });

it.each(['DIRECT', 'LINK'])('%s opens a checkout together with the order', async (paymentFlow) => {
  const { body } = await prepare();
  const order = dataOf<CreatedOrder>(await place({ ...body, paymentFlow }));
  const payUrl = String(order.payUrl);
  expect(payUrl).toMatch(/^https:\/\/pay\.test\/[0-9a-f-]{36}\?amount=75\.00&currency=EUR&back=$/);
  expect(await statusOf(order.id)).toMatchObject({ status: 'PENDING', payUrl, amount: 75 });
  expect((await openCheckout(order.id)).payUrl).toBe(payUrl);
  expect((await report(payUrl, 'PAID')).status).toBe(200);
  expect(dataOf(await holder.ask('GET', `/dapp/orders/${order.id}`))).toMatchObject({
    paymentStatus: 'PAID',
  });
});

it.each([{}, { paymentFlow: 'INVOICE' }, { paymentFlow: null }])('%o opens none', async (flow) => {
  const { body } = await prepare();
  const order = dataOf<CreatedOrder>(await place({ ...body, ...flow }));
  expect(order).not.toHaveProperty('payUrl');
  expect(await statusOf(order.id)).toMatchObject({ status: 'PENDING', payUrl: null });
});

it('a retry with the same Idempotency-Key gets the same link', async () => {
  const { body } = await prepare();
  const headers = { 'idempotency-key': randomUUID() };
  const [first, second] = [
    await place({ ...body, paymentFlow: 'DIRECT' }, headers),
    await place({ ...body, paymentFlow: 'DIRECT' }, headers),
  ];
  expect(second.text).toBe(first.text);
  const { payUrl } = dataOf<CreatedOrder>(first);
  const rows = await sql('SELECT FROM payment_checkouts WHERE reference = $1', [referenceIn(payUrl ?? null)]);
  expect(rows).toHaveLength(1);
});

it('an unknown flow is refused', async () => {
  const { body } = await prepare();
  const reply = await place({ ...body, paymentFlow: 'LATER' });
  expect([reply.status, reply.envelope.data]).toEqual([
    400,
    ['paymentFlow must be one of the following values: INVOICE, DIRECT, LINK'],
  ]);
});

it('cancelling the order makes its link invalid', async () => {
  const { body } = await prepare();
  for (const cancel of [
    (id: string) => holder.ask('PATCH', `/dapp/orders/${id}`, { body: { orderStatus: 'CANCELLED' } }),
    (id: string) => admin.ask('PATCH', `/admin/orders/${id}`, { body: { orderStatus: 'CANCELLED' } }),
  ]) {
    const order = dataOf<CreatedOrder>(
      await place({ ...body, items: [{ ...body.items[0], quantity: 1 }], paymentFlow: 'DIRECT' }),
    );
    dataOf(await cancel(order.id));
    expect(await statusOf(order.id)).toMatchObject({
      status: 'CANCELLED',
      payUrl: null,
    } satisfies Partial<Checkout>);
  }
});

it('without a payment provider nothing is ordered', async () => {
  const service = await startStorefrontService((url) => new ChangeFeed({ url }), {
    providers: { ...testProviders, PAYMENT: null },
  });
  const callers = await openCallers(service);
  const { id: clientId } = await insertClient(callers.sql, callers.holder.tokenId);
  const { id: strainId } = await insertStrain(callers.sql, { stock: 10 });
  const items = [{ strainId, quantity: 6 }];
  const reply = await callers.holder.ask('POST', '/dapp/orders', {
    body: { clientId, items, paymentFlow: 'DIRECT' },
  });
  expect([reply.status, reply.envelope.code]).toEqual([403, 'PROVIDER_NOT_CONFIGURED']);
  expect(await stockOf(callers.sql, strainId)).toBe(10);
  await service.service.close();
});
