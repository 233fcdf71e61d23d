import { expect, it } from 'vitest';
import { openStorefront } from '../../support/storefront.ts';

const { holder } = await openStorefront();

it.each([
  '7',
  'Summary',
  '019a8f3e-7c00-7000-8000-00000000dea',
  '019a8f3e-7c00-7000-8000-00000000deadd',
  '%00',
  '019a8f3e-7c00-7000-8000-00000000dead%00',
  '__proto__',
])('refuses %s, which is no UUID', async (orderId) => {
  const reply = await holder.ask('GET', `/dapp/orders/${orderId}/history`);
  expect(reply.status).toBe(400);
  expect(reply.envelope).toEqual({
    success: false,
    statusCode: 400,
    message: 'Validation failed',
    data: ['orderId must be a UUID'],
  });
});
