import type { Planet, Strain, StrainPage } from '@keyfront/protocol';
import { expect, it } from 'vitest';
import { dataOf, openStorefront, type TestCaller } from '../../support/storefront.ts';
import { insertStrain, locationIn } from '../../support/storefront-data.ts';

const { holder, stranger, sibling, admin, sql } = await openStorefront();

/** Begins the names of this file, so that a search leaves out what others have put into the catalogue. */
const own = `List ${holder.tokenId}:`;

for (let place = 1; place <= 12; place++) {
  await insertStrain(sql, {
    name: `${own} ${String(place).padStart(2, '0')}`,
    stock: place,
    countryCodes: place % 5 === 0 ? ['PRT', 'DEU'] : ['PRT'],
  });
}
await sql('UPDATE strains SET description = $2 WHERE name = $1', [
  `${own} 07`,
  `Half_price ${own} 50% ${own} \\ ${own}`,
]);

async function list(query: string, caller: TestCaller = holder): Promise<StrainPage> {
  const reply = await caller.ask('GET', `/dapp/strains?${query}`);
  expect(reply.status).toBe(200);
  return dataOf<StrainPage>(reply);
}
const search = (text: string) => `search=${encodeURIComponent(text)}`;
const placesOf = ({ strains }: StrainPage) => strains.map(({ name }) => Number(name.slice(own.length)));

it('returns the same strains, by name, to holders and administrators', async () => {
  const page = await list(search(own));
  expect(placesOf(page)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
  expect(page.pageMetaDto).toEqual({
    page: 1,
    take: 10,
    itemCount: 12,
    totalCount: 12,
    pageCount: 2,
    hasPreviousPage: false,
    hasNextPage: true,
  });
  for (const caller of [holder.signedIn, stranger, sibling, admin]) {
    expect(await list(search(own), caller)).toEqual(page);
  }
});

it('returns every field of a strain, as it is read alone', async () => {
  const { strains } = await list(search(`${own} 05`));
  expect(strains).toEqual([
    {
      id: expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/),
      name: `${own} 05`,
      description: '',
      type: 'HYBRID',
      thc: 18,
      cbd: 1,
      flavour: '',
      feelings: '',
      helpsWith: '',
      retailPrice: 10,
      currency: 'EUR',
      stockQuantity: 10,
      isActive: true,
      isAvailable: true,
      imageUrl: null,
      strainImages: [],
      countryCodes: ['DEU', 'PRT'],
      strainLocations: [
        locationIn('DEU', 'Germany', { stockQuantity: 5 }),
        locationIn('PRT', 'Portugal', { stockQuantity: 5 }),
      ],
      planet: { number: 1, name: 'Verdane' },
    },
  ]);
  expect(dataOf<Strain>(await holder.ask('GET', `/dapp/strains/${strains[0]?.id}`))).toEqual(strains[0]);
});

it('pages without gaps or duplicates', async () => {
  const pages = await Promise.all([1, 2, 3].map((page) => list(`${search(own)}&take=5&page=${page}`)));
  expect(pages.flatMap(placesOf)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12]);
  expect((await list(`${search(own)}&limit=3`)).strains).toHaveLength(3);
  expect((await list(`${search(own)}&limit=4&take=4`)).strains).toHaveLength(4);
  const behind = await list(`${search(own)}&page=2147483647&take=1000`);
  expect(behind.strains).toEqual([]);
  expect(behind.pageMetaDto).toMatchObject({ itemCount: 12, hasPreviousPage: true, hasNextPage: false });
});

it('searches in name and description, in any case, with %, _ and \\ as themselves', async () => {
  expect((await list(search(own.toUpperCase()))).pageMetaDto.itemCount).toBe(12);
  for (const text of [`HALF_price ${own}`, `50% ${own}`, `\\ ${own}`]) {
    expect(placesOf(await list(search(text)))).toEqual([7]);
  }
  for (const text of [`${own}%07`, `${own}_07`, `${own}\\ 07`, `HALFxprice ${own}`]) {
    expect(placesOf(await list(search(text)))).toEqual([]);
  }
});

it('filters by country in any case', async () => {
  for (const filter of ['countryCode=DEU', 'countryCode=deu', 'countryCode=de', 'country=DE']) {
    expect(placesOf(await list(`${search(own)}&${filter}`))).toEqual([5, 10]);
  }
  expect(placesOf(await list(`${search(own)}&countryCode=ZAF`))).toEqual([]);
});

it('filters by planet: by number, name or id', async () => {
  const number = 1_000 * holder.tokenId;
  const body = { number, name: `Listed ${number}` };
  const planet = dataOf<Planet>(await admin.ask('POST', '/admin/planets', { body }));
  const { strains } = await list(search(`${own} 03`));
  await admin.ask('PATCH', `/admin/strains/${strains[0]?.id}`, { body: { planet: planet.id } });
  for (const reference of [String(number), `LISTED+${number}`, planet.id]) {
    expect(placesOf(await list(`planet=${reference}`))).toEqual([3]);
  }
  for (const reference of ['999999998', '99999999999999999999', 'Nowhere', '%25']) {
    expect(placesOf(await list(`planet=${reference}`))).toEqual([]);
  }
});

it('ignores empty filters and unknown parameters', async () => {
  const page = await list(search(own));
  expect(await list(`${search(own)}&countryCode=&planet=&colour=green`)).toEqual(page);
});

it('has the stock of this moment', async () => {
  await sql(
    'UPDATE strain_locations SET stock_quantity = 0 WHERE strain_id = (SELECT id FROM strains WHERE name = $1)',
    [`${own} 12`],
  );
  expect((await list(search(`${own} 12`))).strains[0]?.stockQuantity).toBe(0);
});
