import { expect, it } from 'vitest';
import { openStorefront } from '../../support/storefront.ts';

const { holder } = await openStorefront();

it('refuses a holder, also for his own orders', async () => {
  for (const query of ['', `?tokenId=${holder.tokenId}`]) {
    const reply = await holder.signedIn.ask('GET', `/admin/orders${query}`);
    expect(reply.envelope).toEqual({
      success: false,
      statusCode: 403,
      message: 'This is for administrators',
      data: null,
    });
  }
});
