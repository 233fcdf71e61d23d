import { describe, expect, it } from 'vitest';
import { ChangeFeed } from '../../../packages/server/src/database/coordination/change-feed.ts';
import { openPayments } from '../../support/payment-data.ts';
import { openCallers, openStorefront, startStorefrontService } from '../../support/storefront.ts';
import { unknownId } from '../../support/storefront-data.ts';
import { testProviders } from '../../support/test-providers.ts';

const storefront = await openStorefront();
const { holder, stranger } = storefront;
const { insertOrder } = openPayments(storefront);

const ask = (orderId: string, returnUrl?: string) =>
  holder.ask('POST', '/payments/checkout', {
    body: { orderId, ...(returnUrl === undefined ? {} : { returnUrl }) },
  });

describe('a return address', async () => {
  const orderId = await insertOrder();

  it.each([
    ['http://shop.example/thanks', 'returnUrl must be a URL that begins with https://'],
    ['http://localhost:3000/thanks', 'returnUrl must be a URL that begins with https://'],
    ['https://shop.example@evil.example/', 'returnUrl must not contain a user name or password'],
    ['javascript:alert(1)', 'returnUrl must be a URL address'],
    ['//shop.example', 'returnUrl must be a URL address'],
  ])('%s is refused', async (returnUrl, issue) => {
    const reply = await ask(orderId, returnUrl);
    expect([reply.status, reply.envelope.code, reply.envelope.data]).toMatchObject([
      400,
      'VALIDATION_FAILED',
      expect.arrayContaining([issue]),
    ]);
  });
});

describe('an order', () => {
  it.each([
    [{ order_status: 'CANCELLED' }, 'A cancelled order is not paid for any more'],
    [{ payment_status: 'PROCESSING' }, 'The payment of this order is PROCESSING'],
    [{ payment_status: 'PAID' }, 'The payment of this order is PAID'],
    [{ payment_status: 'REFUNDED' }, 'The payment of this order is REFUNDED'],
  ])('that is %o has no checkout', async (state, message) => {
    const reply = await ask(await insertOrder(state));
    expect([reply.status, reply.envelope]).toMatchObject([403, { code: 'CHECKOUT_REFUSED', message }]);
  });

  it('of another holder is refused, one that does not exist is not found', async () => {
    const body = { orderId: await insertOrder() };
    expect((await stranger.ask('POST', '/payments/checkout', { body })).envelope.code).toBe('NOT_OWNED');
    expect((await ask(unknownId)).status).toBe(404);
  });
});

it('is refused where the operator has set up no payment provider', async () => {
  const service = await startStorefrontService((url) => new ChangeFeed({ url }), {
    providers: { ...testProviders, PAYMENT: null },
  });
  const callers = await openCallers(service);
  const payments = openPayments(callers);
  const body = { orderId: await payments.insertOrder() };
  const reply = await callers.holder.ask('POST', '/payments/checkout', { body });
  expect([reply.status, reply.envelope]).toMatchObject([
    403,
    {
      code: 'PROVIDER_NOT_CONFIGURED',
      message: 'The operator of this service has set up no payment provider',
    },
  ]);
  await service.service.close();
});

it('is not in the hands of the role of holders, which may only restart a failed payment', async () => {
  const { database } = storefront.service;
  const { statement } = await import('@keyfront/postgres');
  const pay = statement<never>(
    'test.pay',
    `UPDATE orders SET payment_status = 'PAID' WHERE id = $1 RETURNING id`,
  );
  const { holderId, tokenId, walletAddress } = holder;
  const scope = { role: 'holder', holderId, tokenId, walletAddress } as const;
  for (const payment_status of ['PENDING', 'FAILED']) {
    const orderId = await insertOrder({ payment_status });
    await expect(database.query(scope, pay, [orderId])).rejects.toThrow(/only return a failed payment/);
  }
});
