import type { Planet, Strain } from '@keyfront/protocol';
import { expect, it } from 'vitest';
import { dataOf, openStorefront } from '../../support/storefront.ts';

const { holder, admin, sql } = await openStorefront();

let lastNumber = 1_000 * holder.tokenId;

async function createPlanet(): Promise<Planet> {
  const number = ++lastNumber;
  const body = { number, name: `Planet ${number}`, description: 'As it was', imageUrl: 'https://a.example/' };
  return dataOf<Planet>(await admin.ask('POST', '/admin/planets', { body }));
}

async function updatePlanet(planetId: string, body: object): Promise<Planet> {
  const reply = await admin.ask('PATCH', `/admin/planets/${planetId}`, { body });
  expect(reply.status).toBe(200);
  return dataOf<Planet>(reply);
}

const auditOf = (planetId: string) =>
  sql(
    `SELECT administrator, subject, before, after FROM audit WHERE subject_id = $1 AND action = 'CHANGE'
     ORDER BY created_at, id`,
    [planetId],
  );

it('changes each field alone, visible to everyone', async () => {
  let planet = await createPlanet();
  for (const change of [
    { number: ++lastNumber },
    { name: `Renamed ${holder.tokenId}` },
    { description: '' },
    { imageUrl: 'http://b.example/2.png' },
    { imageUrl: null },
  ]) {
    const changed: Planet = { ...planet, ...change };
    expect(await updatePlanet(planet.id, change)).toEqual(changed);
    const { planets } = dataOf<{ planets: Planet[] }>(await holder.ask('GET', '/planets'));
    expect(planets.find(({ id }) => id === planet.id)).toEqual(changed);
    planet = changed;
  }
});

it('changes several fields, and audits those that differ', async () => {
  const planet = await createPlanet();
  await updatePlanet(planet.id, { number: planet.number, description: 'New', imageUrl: null });
  expect(await auditOf(planet.id)).toEqual([
    {
      administrator: admin.walletAddress,
      subject: 'PLANET',
      before: { description: 'As it was', imageUrl: 'https://a.example/' },
      after: { description: 'New', imageUrl: null },
    },
  ]);
});

it('writes no audit row if nothing differs', async () => {
  const { id, ...fields } = await createPlanet();
  expect(await updatePlanet(id, fields)).toEqual({ id, ...fields });
  expect(await auditOf(id)).toEqual([]);
});

it('lets a planet keep its own name in another case', async () => {
  const planet = await createPlanet();
  const name = planet.name.toUpperCase();
  expect((await updatePlanet(planet.id, { name })).name).toBe(name);
});

it('shows the new name in the strains of the planet', async () => {
  const planet = await createPlanet();
  const [row] = await sql<{ id: string }>(
    `INSERT INTO strains (planet_id, name, type, thc, cbd, retail_price, currency)
     VALUES ($1, $2, 'HYBRID', 1, 1, 1, 'EUR') RETURNING id`,
    [planet.id, `Of planet ${planet.number}`],
  );
  await updatePlanet(planet.id, { name: `Moved ${planet.number}` });
  const strain = dataOf<Strain>(await holder.ask('GET', `/dapp/strains/${row?.id}`));
  expect(strain.planet).toEqual({ number: planet.number, name: `Moved ${planet.number}` });
});

it('loses no change of many that are made at once, and notes each as it was at its turn', async () => {
  const planet = await createPlanet();
  await Promise.all([
    ...Array.from({ length: 8 }, (_, turn) => updatePlanet(planet.id, { description: `Change ${turn}` })),
    updatePlanet(planet.id, { imageUrl: null }),
  ]);
  const { planets } = dataOf<{ planets: Planet[] }>(await holder.ask('GET', '/planets'));
  expect(planets.find(({ id }) => id === planet.id)?.imageUrl).toBeNull();
  const descriptions = (await auditOf(planet.id)).flatMap(({ before }) => before.description ?? []);
  expect(descriptions).toHaveLength(8);
  expect(new Set(descriptions).size).toBe(8);
});
