import { expect, it } from 'vitest';
import { openStorefront } from '../../support/storefront.ts';

const { holder } = await openStorefront();

it.each([
  '7',
  'Summary',
  '019a8f3e-7c00-7000-8000-00000000dea',
  '%00',
  '019a8f3e-7c00-7000-8000-00000000dead%00',
])('refuses %s, which is no UUID', async (clientId) => {
  const reply = await holder.ask('GET', `/dapp/clients/${clientId}`);
  expect(reply.status).toBe(400);
  expect(reply.envelope).toEqual({
    success: false,
    statusCode: 400,
    message: 'Validation failed',
    data: ['clientId must be a UUID'],
  });
});
