import { expect, it } from 'vitest';
import { openStorefront } from '../../support/storefront.ts';
import { insertClient } from '../../support/storefront-data.ts';

const { holder, nobody, forger, sql } = await openStorefront();

it('refuses a caller without credentials and one whose signature is of another key, and changes nothing', async () => {
  const { id } = await insertClient(sql, holder.tokenId);
  for (const caller of [nobody, forger]) {
    const reply = await caller.ask('PATCH', `/dapp/clients/${id}`, { body: { firstName: 'Eve' } });
    expect(reply.status).toBe(401);
    expect(reply.envelope).toEqual({
      success: false,
      statusCode: 401,
      message: 'User is not authorized',
      data: null,
    });
  }
  expect(await sql('SELECT first_name FROM clients WHERE id = $1', [id])).toEqual([{ first_name: 'Ada' }]);
});
