import { expect, it } from 'vitest';
import { openStorefront } from '../../support/storefront.ts';
import { insertCart, insertClient, insertStrain, unknownId } from '../../support/storefront-data.ts';

const { holder, sql } = await openStorefront();

it('returns 404 for an unknown cart', async () => {
  expect((await holder.ask('DELETE', `/dapp/carts/${unknownId}`)).envelope).toEqual({
    success: false,
    statusCode: 404,
    code: 'RESOURCE_NOT_FOUND',
    message: 'Cart not found',
    data: null,
  });
});

it('returns 404 for a strain that is not in the cart, and removes nothing', async () => {
  const { id: clientId } = await insertClient(sql, holder.tokenId);
  const [held, other] = [await insertStrain(sql), await insertStrain(sql)];
  const cartId = await insertCart(sql, holder.tokenId, clientId, [{ strainId: held.id, quantity: 1 }]);
  for (const strainId of [other.id, unknownId]) {
    expect((await holder.ask('DELETE', `/dapp/carts/${cartId}?strainId=${strainId}`)).envelope).toEqual({
      success: false,
      statusCode: 404,
      code: 'RESOURCE_NOT_FOUND',
      message: 'Strain is not in the cart',
      data: null,
    });
  }
  expect(await sql('SELECT strain_id FROM cart_items WHERE cart_id = $1', [cartId])).toEqual([
    { strain_id: held.id },
  ]);
});
