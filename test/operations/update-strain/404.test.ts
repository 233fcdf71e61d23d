import { failure } from '@keyfront/protocol';
import { expect, it } from 'vitest';
import { openStorefront } from '../../support/storefront.ts';
import { insertStrain, unknownId } from '../../support/storefront-data.ts';

const { admin, sql } = await openStorefront();

const notFound = (message: string) => failure('RESOURCE_NOT_FOUND', message);

it('returns 404 for an unknown strain before it looks up the planet', async () => {
  for (const body of [{ thc: 1 }, { planet: 'Nowhere' }, { stockChange: -1 }]) {
    const reply = await admin.ask('PATCH', `/admin/strains/${unknownId}`, { body });
    expect(reply.status).toBe(404);
    expect(reply.envelope).toEqual(notFound('Strain not found'));
  }
});

it('returns 404 for an unknown planet before it checks the stock, and changes nothing', async () => {
  const { id } = await insertStrain(sql, { stock: 1 });
  const readRow = () => sql('SELECT * FROM strains WHERE id = $1', [id]);
  const before = await readRow();
  for (const planet of ['Nowhere', '999999999', '99999999999999999999', unknownId]) {
    const reply = await admin.ask('PATCH', `/admin/strains/${id}`, { body: { planet, stockChange: -2 } });
    expect(reply.status).toBe(404);
    expect(reply.envelope).toEqual(notFound('Planet not found'));
  }
  expect(await readRow()).toEqual(before);
});
