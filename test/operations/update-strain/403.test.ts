import { failure } from '@keyfront/protocol';
import { expect, it } from 'vitest';
import { openStorefront } from '../../support/storefront.ts';
import { insertStrain } from '../../support/storefront-data.ts';

const { holder, admin, sql } = await openStorefront();

const readRow = (id: string) => sql('SELECT * FROM strains WHERE id = $1', [id]);

it('requires an administrator', async () => {
  const { id } = await insertStrain(sql);
  const before = await readRow(id);
  const reply = await holder.signedIn.ask('PATCH', `/admin/strains/${id}`, { body: { retailPrice: 0 } });
  expect(reply.status).toBe(403);
  expect(reply.envelope).toEqual(failure('ADMINISTRATOR_REQUIRED'));
  expect(await readRow(id)).toEqual(before);
});

it('takes no more from the stock than there is', async () => {
  const { id, name } = await insertStrain(sql, { stock: 3 });
  const before = await readRow(id);
  const reply = await admin.ask('PATCH', `/admin/strains/${id}`, {
    body: { stockChange: -4, description: 'New' },
  });
  expect(reply.status).toBe(403);
  expect(reply.envelope).toEqual(failure('STOCK_TOO_LOW', `${name} has only 3 left in Portugal`));
  expect(await readRow(id)).toEqual(before);
});

it('adds no more to the stock than can be counted', async () => {
  const { id, name } = await insertStrain(sql, { stock: 1 });
  const body = { stockChange: 2_147_483_647 };
  const reply = await admin.ask('PATCH', `/admin/strains/${id}`, { body });
  expect(reply.status).toBe(403);
  expect(reply.envelope).toEqual(
    failure('STOCK_TOO_HIGH', `${name} cannot have more than 2147483647 in stock in Portugal`),
  );
});

it('never takes the stock below zero, however many take from it at once', async () => {
  const { id } = await insertStrain(sql, { stock: 5 });
  const replies = await Promise.all(
    Array.from({ length: 8 }, () =>
      admin.ask('PATCH', `/admin/strains/${id}`, { body: { stockChange: -2 } }),
    ),
  );
  expect(replies.map(({ status }) => status).sort()).toEqual([200, 200, 403, 403, 403, 403, 403, 403]);
  expect(await sql('SELECT stock_quantity FROM strain_locations WHERE strain_id = $1', [id])).toEqual([
    { stock_quantity: 1 },
  ]);
});
