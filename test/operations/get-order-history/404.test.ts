import { expect, it } from 'vitest';
import { openStorefront } from '../../support/storefront.ts';
import { unknownId } from '../../support/storefront-data.ts';

const { holder } = await openStorefront();

it('says that there is no such order', async () => {
  for (const caller of [holder, holder.signedIn]) {
    const reply = await caller.ask('GET', `/dapp/orders/${unknownId}/history`);
    expect(reply.status).toBe(404);
    expect(reply.envelope).toEqual({
      success: false,
      statusCode: 404,
      message: 'Order not found',
      data: null,
    });
  }
});
