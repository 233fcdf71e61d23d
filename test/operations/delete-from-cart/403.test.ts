import { expect, it } from 'vitest';
import { openStorefront } from '../../support/storefront.ts';
import { insertCart, insertClient, insertStrain, unknownId } from '../../support/storefront-data.ts';

const { holder, stranger, sibling, admin, sql } = await openStorefront();

it.each([
  ['another holder', stranger],
  ['another digital key of the same holder', sibling],
])('takes nothing out of a cart of %s', async (_name, other) => {
  const { id: clientId } = await insertClient(sql, other.tokenId);
  const { id: strainId } = await insertStrain(sql);
  const cartId = await insertCart(sql, other.tokenId, clientId, [{ strainId, quantity: 2 }]);
  for (const query of ['', `?strainId=${strainId}`, `?strainId=${unknownId}`]) {
    const reply = await holder.ask('DELETE', `/dapp/carts/${cartId}${query}`);
    expect(reply.envelope).toEqual({
      success: false,
      statusCode: 403,
      code: 'NOT_OWNED',
      message: 'Cart belongs to another holder or digital key',
      data: null,
    });
  }
  expect(await sql('SELECT quantity FROM cart_items WHERE cart_id = $1', [cartId])).toEqual([
    { quantity: 2 },
  ]);
});

it('rejects an administrator, who has no digital key', async () => {
  expect((await admin.ask('DELETE', `/dapp/carts/${unknownId}`)).envelope).toMatchObject({
    statusCode: 403,
    message: 'This is for holders of a digital key: sign in as one',
  });
});
