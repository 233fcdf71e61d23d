import { expect, it } from 'vitest';
import { openStorefront } from '../../support/storefront.ts';
import { insertClient } from '../../support/storefront-data.ts';

const { holder, sql } = await openStorefront();

it('refuses a body of ten megabytes', async () => {
  const { id } = await insertClient(sql, holder.tokenId);
  const body = { firstName: 'a'.repeat(10_000_000) };
  const reply = await holder.ask('PATCH', `/dapp/clients/${id}`, { body });
  expect(reply.status).toBe(413);
  expect(reply.envelope).toMatchObject({ success: false, statusCode: 413, data: null });
});
