import { failure } from '@keyfront/protocol';
import { expect, it } from 'vitest';
import { openStorefront } from '../../support/storefront.ts';
import { insertStrain } from '../../support/storefront-data.ts';

const { holder, admin, sql } = await openStorefront();

const fields = {
  type: 'SATIVA',
  thc: 1,
  cbd: 1,
  retailPrice: 1,
  currency: 'EUR',
  stockQuantity: 1,
  planet: '1',
};
it('rejects a name that another strain has, in any case', async () => {
  const name = (await insertStrain(sql)).name.toUpperCase();
  const reply = await admin.ask('POST', '/admin/strains', { body: { name, ...fields } });
  expect(reply.status).toBe(409);
  expect(reply.envelope).toEqual(failure('NAME_TAKEN', `A strain with the name ${name} exists already`));
});

it('makes one strain of many that are asked for at once with the same name', async () => {
  const name = `Race ${holder.tokenId}`;
  const replies = await Promise.all(
    Array.from({ length: 8 }, () => admin.ask('POST', '/admin/strains', { body: { name, ...fields } })),
  );
  expect(replies.map(({ status }) => status).sort()).toEqual([201, 409, 409, 409, 409, 409, 409, 409]);
  const made = await sql<{ id: string }>('SELECT id FROM strains WHERE name = $1', [name]);
  expect(made).toHaveLength(1);
  expect(
    await sql(`SELECT subject_id AS id FROM audit WHERE subject = 'STRAIN' AND after->>'name' = $1`, [name]),
  ).toEqual(made);
});
