import { expect, it } from 'vitest';
import { openStorefront } from '../../support/storefront.ts';
import { unknownId } from '../../support/storefront-data.ts';

const { nobody, forger } = await openStorefront();

it('refuses a caller without credentials, and one whose signature is of another key', async () => {
  for (const caller of [nobody, forger]) {
    const reply = await caller.ask('POST', '/dapp/orders', { body: { clientId: unknownId } });
    expect(reply.status).toBe(401);
    expect(reply.envelope).toEqual({
      success: false,
      statusCode: 401,
      message: 'User is not authorized',
      data: null,
    });
    expect(reply.headers.get('www-authenticate')).toMatch(/^Signature /);
  }
});
