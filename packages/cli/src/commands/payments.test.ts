import { expect, it } from 'vitest';
import { createHarness, success } from '../../test/cli-harness.ts';

const orderId = '019a8f3e-7c00-7000-8000-000000000501';
const checkout = {
  orderId,
  status: 'PENDING',
  payUrl: 'https://pay.example/7',
  expiresAt: '2026-11-15T10:00:00.000Z',
  amount: 75,
  currency: 'EUR',
  returnUrl: null,
};

it('keyfront payments checkout prints the link', async () => {
  const harness = createHarness({ respond: () => success(checkout, 201) });
  expect(await harness.run('payments', 'checkout', orderId)).toMatchObject({
    code: 0,
    stdout: `${checkout.payUrl}\n`,
  });
  expect(harness.requests.at(-1)).toMatchObject({ method: 'POST', target: '/payments/checkout' });
  expect(JSON.parse(String(harness.requests.at(-1)?.body))).toEqual({ orderId });
  await harness.run('payments', 'checkout', orderId, '--return-url', 'https://shop.example');
  expect(JSON.parse(String(harness.requests.at(-1)?.body))).toEqual({
    orderId,
    returnUrl: 'https://shop.example',
  });
});

it('keyfront payments status prints state, amount and link', async () => {
  const harness = createHarness({ respond: () => success(checkout) });
  expect((await harness.run('payments', 'status', orderId)).stdout).toBe(
    'PENDING, 75.00 EUR: https://pay.example/7\n',
  );
  expect(harness.requests.at(-1)).toMatchObject({
    method: 'GET',
    target: `/payments/checkout/${orderId}/status`,
  });
  expect(JSON.parse((await harness.run('payments', 'status', orderId, '--json')).stdout)).toEqual(checkout);
});

it('keyfront payments cancel prints what is left', async () => {
  const harness = createHarness({
    respond: () => success({ ...checkout, status: 'CANCELLED', payUrl: null }),
  });
  expect((await harness.run('payments', 'cancel', orderId)).stdout).toBe('CANCELLED, 75.00 EUR\n');
  expect(harness.requests.at(-1)).toMatchObject({
    method: 'POST',
    target: `/payments/checkout/${orderId}/cancel`,
  });
});
