import { expect, it } from 'vitest';
import { openStorefront } from '../../support/storefront.ts';
import { unknownId } from '../../support/storefront-data.ts';

const { holder, admin } = await openStorefront();

it.each([
  ['a holder', holder],
  ['an administrator', admin],
])('finds no sale for %s that nobody has', async (_name, caller) => {
  const reply = await caller.ask('GET', `/marketplace/nfts/sale/${unknownId}`);
  expect(reply.envelope).toEqual({
    success: false,
    statusCode: 404,
    message: 'Sale not found',
    data: null,
  });
});
