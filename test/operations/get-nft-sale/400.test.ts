import { expect, it } from 'vitest';
import { openStorefront } from '../../support/storefront.ts';

const { holder } = await openStorefront();

it.each([
  '7',
  '%00',
  '__proto__',
  '019a8f3e-7c00-7000-8000-00000000000',
  'urn:uuid:019a8f3e-7c00-7000-8000-000000000001',
])('refuses the id %s', async (id) => {
  const reply = await holder.ask('GET', `/marketplace/nfts/sale/${id}`);
  expect(reply.envelope).toEqual({
    success: false,
    statusCode: 400,
    message: 'Validation failed',
    data: ['id must be a UUID'],
  });
});
