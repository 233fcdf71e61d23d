import { expect, it } from 'vitest';
import { openStorefront } from '../../support/storefront.ts';
import { unknownId } from '../../support/storefront-data.ts';

const { admin } = await openStorefront();

it('refuses a body of ten megabytes', async () => {
  const body = { rejectionNote: 'a'.repeat(10_000_000) };
  const reply = await admin.ask('PATCH', `/admin/clients/${unknownId}`, { body });
  expect(reply.status).toBe(413);
  expect(reply.envelope).toMatchObject({ success: false, statusCode: 413, data: null });
});
