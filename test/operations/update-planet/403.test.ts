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

it('requires an administrator', async () => {
  const planet = await createPlanet();
  const reply = await holder.signedIn.ask('PATCH', `/admin/planets/${planet.id}`, { body: { name: 'Mine' } });
  expect(reply.status).toBe(403);
  expect(reply.envelope).toEqual(failure('ADMINISTRATOR_REQUIRED'));
  expect(await sql('SELECT name FROM planets WHERE id = $1', [planet.id])).toEqual([{ name: planet.name }]);
});
