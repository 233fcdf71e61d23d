import { expect, it } from 'vitest';
import { openStorefront } from '../../support/storefront.ts';
import { unknownId } from '../../support/storefront-data.ts';

const { admin } = await openStorefront();

it('knows no planet with this id', async () => {
  const reply = await admin.ask('PATCH', `/admin/planets/${unknownId}`, { body: { name: 'Nowhere' } });
  expect(reply.status).toBe(404);
  expect(reply.envelope).toEqual({
    success: false,
    statusCode: 404,
    message: 'Planet not found',
    data: null,
  });
});
