import { expect, it } from 'vitest';
import { openStorefront } from '../../support/storefront.ts';

const { holder, nobody, forger, sql } = await openStorefront();

it('refuses a caller without credentials and one whose signature is of another key, before it looks at the body', async () => {
  for (const caller of [nobody, forger]) {
    for (const body of [{ firstName: 'Ada', lastName: 'Example', email: 'ada@example.org' }, '{']) {
      const reply = await caller.ask('POST', '/dapp/clients', { body });
      expect(reply.status).toBe(401);
      expect(reply.envelope).toEqual({
        success: false,
        statusCode: 401,
        message: 'User is not authorized',
        data: null,
      });
    }
  }
  expect(await sql('SELECT FROM clients WHERE token_id = $1', [holder.tokenId])).toEqual([]);
});
