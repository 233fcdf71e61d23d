import { expect, it } from 'vitest';
import { openStorefront } from '../../support/storefront.ts';

const { holder } = await openStorefront();

it.each([0, 8_000_000_000, Number.MAX_SAFE_INTEGER])(
  'does not find the digital key %d, which nobody has',
  async (tokenId) => {
    const reply = await holder.ask('POST', '/marketplace/nfts/sale', { body: { tokenId, price: '1' } });
    expect(reply.envelope).toEqual({
      success: false,
      statusCode: 404,
      code: 'RESOURCE_NOT_FOUND',
      message: 'Digital key not found',
      data: null,
    });
  },
);
