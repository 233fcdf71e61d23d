import { expect, it } from 'vitest';
import { openStorefront } from '../../support/storefront.ts';
import { unknownId } from '../../support/storefront-data.ts';

const { holder } = await openStorefront();

it('returns 404 for an unknown sale', async () => {
  const reply = await holder.ask('PATCH', `/dapp/sales?id=${unknownId}`, { body: { stage: 'CLOSED' } });
  expect(reply.envelope).toEqual({
    success: false,
    statusCode: 404,
    code: 'RESOURCE_NOT_FOUND',
    message: 'Sale not found',
    data: null,
  });
});
