import { expect, it } from 'vitest';
import { openStorefront } from '../../support/storefront.ts';
import { insertClient, insertStrain, unknownId } from '../../support/storefront-data.ts';

const { holder, sql } = await openStorefront();

const add = async (clientId: string, ...strainIds: string[]) => {
  const cartItems = strainIds.map((strainId) => ({ strainId, quantity: 1 }));
  return (await holder.ask('POST', '/dapp/carts', { body: { clientId, cartItems } })).envelope;
};

it('returns 404 for an unknown client', async () => {
  const { id: strainId } = await insertStrain(sql);
  expect(await add(unknownId, strainId)).toEqual({
    success: false,
    statusCode: 404,
    code: 'RESOURCE_NOT_FOUND',
    message: 'Client not found',
    data: null,
  });
});

it('returns 404 for an unknown strain, alone or among others, and adds nothing', async () => {
  const { id: clientId } = await insertClient(sql, holder.tokenId);
  const { id: strainId } = await insertStrain(sql);
  const notFound = {
    success: false,
    statusCode: 404,
    code: 'RESOURCE_NOT_FOUND',
    message: 'Strain not found',
    data: null,
  };
  expect(await add(clientId, unknownId)).toEqual(notFound);
  expect(await add(clientId, strainId, unknownId)).toEqual(notFound);
  expect(await sql('SELECT FROM carts WHERE client_id = $1', [clientId])).toEqual([]);
});

it('reports an unknown strain before an unavailable one', async () => {
  const { id: clientId } = await insertClient(sql, holder.tokenId);
  const { id: withdrawn } = await insertStrain(sql, { isAvailable: false });
  expect(await add(clientId, withdrawn, unknownId)).toMatchObject({ statusCode: 404 });
});
