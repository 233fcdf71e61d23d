import { expect, it } from 'vitest';
import { openStorefront } from '../../support/storefront.ts';
import { insertCart, insertClient, insertStrain } from '../../support/storefront-data.ts';

const { holder, sql } = await openStorefront();
const { id: clientId } = await insertClient(sql, holder.tokenId);
const { id: strainId } = await insertStrain(sql);
const cartId = await insertCart(sql, holder.tokenId, clientId, [{ strainId, quantity: 1 }]);

it.each<[string, string[]]>([
  ['7', ['cartId must be a UUID']],
  ['%00', ['cartId must be a UUID']],
  ['__proto__', ['cartId must be a UUID']],
  [`${cartId}?strainId=7`, ['strainId must be a UUID']],
  [`${cartId}?strainId=%00`, ['strainId must be a UUID']],
  // Not taken for none, which would empty the cart.
  [`${cartId}?strainId=`, ['strainId should not be empty']],
  [`${cartId}?strainId=${strainId}&strainId=${strainId}`, ['strainId must not be given more than once']],
  ['x?strainId=y', ['cartId must be a UUID', 'strainId must be a UUID']],
])('rejects %s and takes nothing out', async (path, issues) => {
  const reply = await holder.ask('DELETE', `/dapp/carts/${path}`);
  expect(reply.envelope).toEqual({
    success: false,
    statusCode: 400,
    code: 'VALIDATION_FAILED',
    message: 'Validation failed',
    data: issues,
  });
  expect(await sql('SELECT quantity FROM cart_items WHERE cart_id = $1', [cartId])).toEqual([
    { quantity: 1 },
  ]);
});
