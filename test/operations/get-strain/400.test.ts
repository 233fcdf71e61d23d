import { expect, it } from 'vitest';
import { openStorefront } from '../../support/storefront.ts';

const { holder } = await openStorefront();

it.each([
  '7',
  'Lunar%20Saffron',
  '%00',
  '__proto__',
  '019a8f3e-7c00-7000-8000-00000000dea',
  '019a8f3e-7c00-7000-8000-00000000dead%00',
  'urn:uuid:019a8f3e-7c00-7000-8000-00000000dead',
])('refuses %s, which is no UUID', async (strainId) => {
  const reply = await holder.ask('GET', `/dapp/strains/${strainId}`);
  expect(reply.status).toBe(400);
  expect(reply.envelope).toEqual({
    success: false,
    statusCode: 400,
    message: 'Validation failed',
    data: ['strainId must be a UUID'],
  });
});
