import { expect, it } from 'vitest';
import { openStorefront } from '../../support/storefront.ts';

const { admin } = await openStorefront();

it('refuses an administrator, who has no digital key', async () => {
  const reply = await admin.ask('GET', '/dapp/orders/summary');
  expect(reply.envelope).toEqual({
    success: false,
    statusCode: 403,
    message: 'This is for holders of a digital key: sign in as one',
    data: null,
  });
});
