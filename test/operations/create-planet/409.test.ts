import type { Planet } from '@keyfront/protocol';
import { failure } from '@keyfront/protocol';
import { expect, it } from 'vitest';
import { dataOf, openStorefront } from '../../support/storefront.ts';

const { holder, admin, sql } = await openStorefront();

const ownNumber = (place: number) => 1_000 * holder.tokenId + place;
it('rejects a number that another planet has', async () => {
  const number = ownNumber(2);
  await admin.ask('POST', '/admin/planets', { body: { number, name: `Planet ${number}` } });
  const reply = await admin.ask('POST', '/admin/planets', { body: { number, name: `Other ${number}` } });
  expect(reply.status).toBe(409);
  expect(reply.envelope).toEqual(
    failure('NUMBER_TAKEN', `A planet with the number ${number} exists already`),
  );
});

it('rejects a name that another planet has, in any case', async () => {
  const number = ownNumber(3);
  await admin.ask('POST', '/admin/planets', { body: { number, name: `Planet ${number}` } });
  const name = `pLANET ${number}`;
  const reply = await admin.ask('POST', '/admin/planets', { body: { number: number + 1, name } });
  expect(reply.status).toBe(409);
  expect(reply.envelope).toEqual(failure('NAME_TAKEN', `A planet with the name ${name} exists already`));
  expect(await sql('SELECT FROM planets WHERE number = $1', [number + 1])).toEqual([]);
});

it('makes one planet of many that are asked for at once with the same name', async () => {
  const replies = await Promise.all(
    Array.from({ length: 8 }, (_, place) =>
      admin.ask('POST', '/admin/planets', {
        body: { number: ownNumber(10 + place), name: `Race ${holder.tokenId}` },
      }),
    ),
  );
  expect(replies.map(({ status }) => status).sort()).toEqual([201, 409, 409, 409, 409, 409, 409, 409]);
  const made = replies.filter(({ status }) => status === 201).map((reply) => dataOf<Planet>(reply).id);
  const rows = await sql<{ id: string }>('SELECT id FROM planets WHERE name = $1', [
    `Race ${holder.tokenId}`,
  ]);
  expect(rows.map(({ id }) => id)).toEqual(made);
});
