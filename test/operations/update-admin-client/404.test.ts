import { expect, it } from 'vitest';
import { openStorefront } from '../../support/storefront.ts';
import { unknownId } from '../../support/storefront-data.ts';

const { admin } = await openStorefront();

it('says that there is no such client', async () => {
  const reply = await admin.ask('PATCH', `/admin/clients/${unknownId}`, { body: { isActive: false } });
  expect(reply.status).toBe(404);
  expect(reply.envelope).toEqual({
    success: false,
    statusCode: 404,
    message: 'Client not found',
    data: null,
  });
});
