import { expect, it } from 'vitest';
import { openStorefront } from '../../support/storefront.ts';

const { holder, sql } = await openStorefront();

const body = { firstName: 'Ada', lastName: 'Example', email: 'ada@example.org' };

it('rejects a second client with the e-mail, in any letter case, and opens no lead', async () => {
  expect((await holder.ask('POST', '/dapp/clients', { body })).status).toBe(201);
  for (const email of ['ada@example.org', 'ADA@example.ORG']) {
    const reply = await holder.ask('POST', '/dapp/clients', { body: { ...body, email } });
    expect(reply.envelope).toEqual({
      success: false,
      statusCode: 409,
      code: 'EMAIL_TAKEN',
      message: 'A client with this e-mail exists already',
      data: null,
    });
    expect(reply.status).toBe(409);
  }
  expect(
    await sql('SELECT FROM sales WHERE token_id = $1 AND client_id IS NOT NULL', [holder.tokenId]),
  ).toHaveLength(1);
});
