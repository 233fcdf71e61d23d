import { expect, it } from 'vitest';
import { openStorefront } from '../../support/storefront.ts';
import { insertClient, unknownId } from '../../support/storefront-data.ts';

const { holder, sql } = await openStorefront();

it('returns 404 for an unknown client even if the e-mail is taken', async () => {
  await insertClient(sql, holder.tokenId, { email: 'taken@example.org' });
  for (const body of [{ firstName: 'Grace' }, { email: 'taken@example.org' }]) {
    const reply = await holder.ask('PATCH', `/dapp/clients/${unknownId}`, { body });
    expect(reply.status).toBe(404);
    expect(reply.envelope).toEqual({
      success: false,
      statusCode: 404,
      code: 'RESOURCE_NOT_FOUND',
      message: 'Client not found',
      data: null,
    });
  }
});
