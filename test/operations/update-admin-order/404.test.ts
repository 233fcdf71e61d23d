import { expect, it } from 'vitest';
import { openStorefront } from '../../support/storefront.ts';
import { unknownId } from '../../support/storefront-data.ts';

const { admin } = await openStorefront();

it('says that there is no such order', async () => {
  const body = { orderStatus: 'CANCELLED' };
  const reply = await admin.ask('PATCH', `/admin/orders/${unknownId}`, { body });
  expect(reply.status).toBe(404);
  expect(reply.envelope).toEqual({ success: false, statusCode: 404, message: 'Order not found', data: null });
});
