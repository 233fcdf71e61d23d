import { expect, it } from 'vitest';
import { openStorefront } from '../../support/storefront.ts';

const { holder } = await openStorefront();

it('is for administrators alone', async () => {
  const reply = await holder.signedIn.ask('GET', '/admin/audit');
  expect(reply.status).toBe(403);
  expect(reply.envelope).toEqual({
    success: false,
    statusCode: 403,
    message: 'This is for administrators',
    data: null,
  });
});
