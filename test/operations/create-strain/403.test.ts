import { failure } from '@keyfront/protocol';
import { expect, it } from 'vitest';
import { openStorefront } from '../../support/storefront.ts';

const { holder, sql } = await openStorefront();

const fields = {
  type: 'SATIVA',
  thc: 1,
  cbd: 1,
  retailPrice: 1,
  currency: 'EUR',
  stockQuantity: 1,
  planet: '1',
};
it('requires an administrator, even for an invalid body', async () => {
  const name = `Of a holder ${holder.tokenId}`;
  for (const body of [{ name, ...fields }, {}]) {
    const reply = await holder.signedIn.ask('POST', '/admin/strains', { body });
    expect(reply.status).toBe(403);
    expect(reply.envelope).toEqual(failure('ADMINISTRATOR_REQUIRED'));
  }
  expect(await sql('SELECT FROM strains WHERE name = $1', [name])).toEqual([]);
});
