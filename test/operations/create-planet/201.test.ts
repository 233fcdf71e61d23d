import type { Planet } from '@keyfront/protocol';
import { expect, it } from 'vitest';
import { dataOf, openStorefront } from '../../support/storefront.ts';

const { holder, admin, sql } = await openStorefront();

// Numbers and names of planets that no other test has: token ids are its own.
const ownNumber = (place: number) => 1_000 * holder.tokenId + place;

async function createPlanet(body: object): Promise<Planet> {
  const reply = await admin.ask('POST', '/admin/planets', { body });
  expect(reply.status).toBe(201);
  return dataOf<Planet>(reply);
}

const listed = async (id: string) =>
  dataOf<{ planets: Planet[] }>(await holder.ask('GET', '/planets')).planets.find(
    (planet) => planet.id === id,
  );

it('adds a planet with all its fields, which everybody sees at its place in the list', async () => {
  const [first, second] = [ownNumber(11), ownNumber(10)];
  const fields = {
    number: first,
    name: `Planet ${first}`,
    description: 'Terraced valleys.\nTwo suns.',
    imageUrl: 'https://images.example/7.png?size=2#top',
  };
  const planet = await createPlanet(fields);
  expect(planet).toEqual({
    id: expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/),
    ...fields,
  });
  expect(await listed(planet.id)).toEqual(planet);

  await createPlanet({ number: second, name: `Planet ${second}` });
  const { planets } = dataOf<{ planets: Planet[] }>(await holder.ask('GET', '/planets'));
  const own = planets.map(({ number }) => number).filter((number) => [first, second].includes(number));
  expect(own).toEqual([second, first]);
});

it('takes number and name alone, and null for no picture', async () => {
  for (const [place, rest] of [
    [20, {}],
    [21, { imageUrl: null }],
  ] as const) {
    const number = ownNumber(place);
    const planet = await createPlanet({ number, name: `Planet ${number}`, ...rest });
    expect(planet).toEqual({
      id: planet.id,
      number,
      name: `Planet ${number}`,
      description: '',
      imageUrl: null,
    });
  }
});

it('takes the longest name and description, also of characters outside of the first plane', async () => {
  const number = ownNumber(30);
  const name = number + '🜨'.repeat(100 - String(number).length);
  const planet = await createPlanet({ number, name, description: '𝔞'.repeat(2000) });
  expect([planet.name, planet.description]).toEqual([name, '𝔞'.repeat(2000)]);
});

it('writes an audit row', async () => {
  const number = ownNumber(50);
  const planet = await createPlanet({ number, name: `Planet ${number}` });
  const { id, ...fields } = planet;
  expect(
    await sql('SELECT administrator, subject, action, before, after FROM audit WHERE subject_id = $1', [id]),
  ).toEqual([
    { administrator: admin.walletAddress, subject: 'PLANET', action: 'CREATE', before: null, after: fields },
  ]);
});

it('adds one planet for the same request sent twice with an Idempotency-Key', async () => {
  const number = ownNumber(60);
  const ask = () =>
    admin.ask('POST', '/admin/planets', {
      body: { number, name: `Planet ${number}` },
      headers: { 'idempotency-key': `planet ${number}` },
    });
  const [first, second] = [await ask(), await ask()];
  expect([first.status, second.status]).toEqual([201, 201]);
  expect(second.text).toBe(first.text);
  expect(second.headers.get('idempotent-replayed')).toBe('true');
  expect(await sql('SELECT FROM audit WHERE subject_id = $1', [dataOf<Planet>(first).id])).toHaveLength(1);
});
