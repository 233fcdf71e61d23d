import { expect, it } from 'vitest';
import { openStorefront } from '../../support/storefront.ts';
import { unknownId } from '../../support/storefront-data.ts';

const { holder } = await openStorefront();

it('returns 404 for an unknown client', async () => {
  const reply = await holder.ask('POST', '/dapp/sales', { body: { clientId: unknownId } });
  expect(reply.envelope).toEqual({
    success: false,
    statusCode: 404,
    code: 'RESOURCE_NOT_FOUND',
    message: 'Client not found',
    data: null,
  });
});
