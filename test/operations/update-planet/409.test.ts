import type { Planet } from '@keyfront/protocol';
import { failure } from '@keyfront/protocol';
import { expect, it } from 'vitest';
import { dataOf, openStorefront } from '../../support/storefront.ts';

const { holder, admin, sql } = await openStorefront();

let lastNumber = 1_000 * holder.tokenId;

async function createPlanet(): Promise<Planet> {
  const number = ++lastNumber;
  return dataOf<Planet>(
    await admin.ask('POST', '/admin/planets', { body: { number, name: `Planet ${number}` } }),
  );
}

it('rejects the number or the name of another planet, and changes nothing', async () => {
  const [one, other] = [await createPlanet(), await createPlanet()];
  const ask = (body: object) => admin.ask('PATCH', `/admin/planets/${one.id}`, { body });
  const number = await ask({ number: other.number, description: 'New' });
  expect(number.status).toBe(409);
  expect(number.envelope).toEqual(
    failure('NUMBER_TAKEN', `A planet with the number ${other.number} exists already`),
  );
  const name = other.name.toUpperCase();
  const named = await ask({ name, description: 'New' });
  expect(named.status).toBe(409);
  expect(named.envelope).toEqual(failure('NAME_TAKEN', `A planet with the name ${name} exists already`));
  const { planets } = dataOf<{ planets: Planet[] }>(await holder.ask('GET', '/planets'));
  expect(planets.find(({ id }) => id === one.id)).toEqual(one);
  expect(await sql(`SELECT FROM audit WHERE subject_id = $1 AND action = 'CHANGE'`, [one.id])).toEqual([]);
});
