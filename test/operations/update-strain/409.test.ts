import { failure } from '@keyfront/protocol';
import { expect, it } from 'vitest';
import { openStorefront } from '../../support/storefront.ts';
import { insertStrain } from '../../support/storefront-data.ts';

const { admin, sql } = await openStorefront();

const readRow = (id: string) => sql('SELECT * FROM strains WHERE id = $1', [id]);

it('rejects the name of another strain, in any case, and changes nothing', async () => {
  const { id } = await insertStrain(sql);
  const before = await readRow(id);
  const name = (await insertStrain(sql)).name.toUpperCase();
  const reply = await admin.ask('PATCH', `/admin/strains/${id}`, { body: { name, stockChange: 1 } });
  expect(reply.status).toBe(409);
  expect(reply.envelope).toEqual(failure('NAME_TAKEN', `A strain with the name ${name} exists already`));
  expect(await readRow(id)).toEqual(before);
  expect(await sql('SELECT FROM audit WHERE subject_id = $1', [id])).toEqual([]);
});
