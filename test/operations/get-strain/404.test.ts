import { expect, it } from 'vitest';
import { openStorefront } from '../../support/storefront.ts';
import { unknownId } from '../../support/storefront-data.ts';

const { holder } = await openStorefront();

it('knows no strain with this id', async () => {
  const reply = await holder.ask('GET', `/dapp/strains/${unknownId}`);
  expect(reply.status).toBe(404);
  expect(reply.envelope).toEqual({
    success: false,
    statusCode: 404,
    message: 'Strain not found',
    data: null,
  });
});
