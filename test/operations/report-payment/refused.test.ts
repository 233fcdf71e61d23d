import { afterAll, beforeAll, expect, it } from 'vitest';
import { ChangeFeed } from '../../../packages/server/src/database/coordination/change-feed.ts';
import { openPayments } from '../../support/payment-data.ts';
import {
  openCallers,
  type Reply,
  type Storefront,
  type StorefrontService,
  startStorefrontService,
} from '../../support/storefront.ts';
import { unknownId } from '../../support/storefront-data.ts';
import { dumpTables } from '../../support/table-dump.ts';
import { signMessage, testSecrets } from '../../support/test-providers.ts';

// A service of its own, so that nothing else writes to its tables.
let service: StorefrontService;
let storefront: Storefront;
let payments: ReturnType<typeof openPayments>;

beforeAll(async () => {
  service = await startStorefrontService((url) => new ChangeFeed({ url }));
  storefront = await openCallers(service);
  payments = openPayments(storefront);
});
afterAll(() => service.service.close());

async function expectRefused(refused: () => Promise<Reply>, expected: object): Promise<void> {
  const before = await dumpTables(storefront.sql);
  const reply = await refused();
  expect(reply.envelope).toMatchObject(expected);
  expect(await dumpTables(storefront.sql)).toEqual(before);
}

it.each([
  [{ amount: 74.99 }, 'The order amounts to 75.00 EUR'],
  [{ amount: '75.01' }, 'The order amounts to 75.00 EUR'],
  [{ amount: 0 }, 'The order amounts to 75.00 EUR'],
  [{ amount: 7500 }, 'The order amounts to 75.00 EUR'],
  [{ currency: 'USD' }, 'The order amounts to 75.00 EUR'],
])('another amount or currency is refused, and nothing changes: %o', async (changes, message) => {
  const { payUrl } = await payments.openCheckout(await payments.insertOrder());
  await expectRefused(() => payments.report(payUrl, 'PAID', changes), {
    statusCode: 403,
    code: 'PAYMENT_AMOUNT_MISMATCH',
    message,
  });
});

it('a forbidden transition is refused, and nothing changes', async () => {
  const { payUrl } = await payments.openCheckout(await payments.insertOrder());
  await payments.report(payUrl, 'FAILED');
  await expectRefused(() => payments.report(payUrl, 'PAID'), {
    statusCode: 403,
    code: 'ORDER_TRANSITION_REFUSED',
    message: 'A payment that is FAILED cannot become PAID',
  });
});

it('whatever is reported of a checkout that was replaced is refused, and nothing changes', async () => {
  const orderId = await payments.insertOrder();
  const first = await payments.openCheckout(orderId);
  await payments.report(first.payUrl, 'FAILED');
  const second = await payments.openCheckout(orderId);
  const closed = { statusCode: 403, code: 'CHECKOUT_CLOSED' };
  const expectClosed = async () => {
    for (const status of ['PROCESSING', 'PAID', 'FAILED', 'REFUNDED'])
      await expectRefused(() => payments.report(first.payUrl, status), closed);
    await expectRefused(() => payments.report(first.payUrl, 'PAID', { amount: 1 }), closed);
  };
  await expectClosed();
  expect((await payments.report(second.payUrl, 'PAID')).status).toBe(200);
  await expectClosed();
});

it('to begin to pay an order that was cancelled meanwhile is refused, and nothing changes', async () => {
  const orderId = await payments.insertOrder();
  const { payUrl } = await payments.openCheckout(orderId);
  await storefront.admin.ask('PATCH', `/admin/orders/${orderId}`, { body: { orderStatus: 'CANCELLED' } });
  await expectRefused(() => payments.report(payUrl, 'PROCESSING'), {
    statusCode: 403,
    message: 'A cancelled order is not paid for any more',
  });
});

it('an unknown reference is not found, and nothing changes', async () => {
  await expectRefused(() => payments.report(`https://pay.test/${unknownId}`, 'PAID'), {
    statusCode: 404,
    code: 'RESOURCE_NOT_FOUND',
    message: 'Reference not found',
  });
});

it('the secret of the other provider is refused, and nothing changes', async () => {
  const { payUrl } = await payments.openCheckout(await payments.insertOrder());
  const reference = new URL(payUrl ?? '').pathname.slice(1);
  const body = JSON.stringify({ reference, status: 'PAID', amount: 75, currency: 'EUR' });
  const headers = signMessage(testSecrets.KYC[0], body);
  await expectRefused(() => storefront.nobody.ask('POST', '/callbacks/payments', { body, headers }), {
    statusCode: 401,
    code: 'SIGNATURE_INVALID',
  });
});

it('of many reports at once, the order is paid once', async () => {
  const orderId = await payments.insertOrder();
  const { payUrl } = await payments.openCheckout(orderId);
  const replies = await Promise.all(
    Array.from({ length: 10 }, (_, index) => payments.report(payUrl, index % 2 === 0 ? 'PAID' : 'FAILED')),
  );
  const accepted = new Set(replies.map(({ status }) => status));
  expect([...accepted].sort()).toEqual([200, 403]);
  const changes = await storefront.sql(
    `SELECT FROM order_history WHERE order_id = $1 AND payment_status <> 'PENDING'`,
    [orderId],
  );
  expect(changes).toHaveLength(1);
});
