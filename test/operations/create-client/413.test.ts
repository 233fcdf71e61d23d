import { expect, it } from 'vitest';
import { openStorefront } from '../../support/storefront.ts';

const { holder, sql } = await openStorefront();

it('refuses a body of ten megabytes', async () => {
  const body = { firstName: 'a'.repeat(10_000_000), lastName: 'Example', email: 'ada@example.org' };
  const reply = await holder.ask('POST', '/dapp/clients', { body });
  expect(reply.status).toBe(413);
  expect(reply.envelope).toMatchObject({ success: false, statusCode: 413, data: null });
  expect(await sql('SELECT FROM clients WHERE token_id = $1', [holder.tokenId])).toEqual([]);
});
