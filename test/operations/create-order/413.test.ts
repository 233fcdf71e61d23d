import { expect, it } from 'vitest';
import { openStorefront } from '../../support/storefront.ts';

const { holder } = await openStorefront();

it('refuses a body of ten megabytes', async () => {
  const reply = await holder.ask('POST', '/dapp/orders', { body: { clientId: 'a'.repeat(10_000_000) } });
  expect(reply.status).toBe(413);
  expect(reply.envelope).toMatchObject({ success: false, statusCode: 413, data: null });
});
