import type { Planet, Strain, StrainPage } from '@keyfront/protocol';
import { expect, it } from 'vitest';
import { dataOf, openStorefront } from '../../support/storefront.ts';
import { locationIn } from '../../support/storefront-data.ts';

const { holder, admin, sql } = await openStorefront();

let lastNumber = 0;
const newName = () => `Created ${holder.tokenId}-${++lastNumber}`;

const required = {
  type: 'SATIVA',
  thc: 0,
  cbd: 100,
  retailPrice: 12.5,
  currency: 'EUR',
  planet: '1',
};

async function createStrain(body: object): Promise<Strain> {
  const reply = await admin.ask('POST', '/admin/strains', {
    body: { name: newName(), ...required, ...body },
  });
  expect(reply.status).toBe(201);
  return dataOf<Strain>(reply);
}

it('adds a strain with all its fields, which everybody sees alone and in the list', async () => {
  const { planet: _planet, ...fields } = {
    ...required,
    name: newName(),
    description: 'A slow evening strain.\nWarm.',
    type: 'INDICA',
    thc: 18.57,
    cbd: 0.07,
    flavour: 'saffron, pine',
    feelings: 'calm',
    helpsWith: 'sleep',
    retailPrice: 9_999_999_999.99,
    currency: 'USD',
    stockQuantity: 2_147_483_647,
    isAvailable: false,
    imageUrl: 'http://images.example/1.png',
    countryCodes: ['PRT', 'DEU'],
  };
  const strain = await createStrain({ ...fields, planet: '1' });
  const { stockQuantity, retailPrice, currency } = fields;
  const shared = { retailPrice, currency, isAvailable: false };
  expect(strain).toEqual({
    id: expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/),
    ...fields,
    isActive: false,
    strainImages: [{ strainImageUrl: fields.imageUrl, altText: fields.name }],
    countryCodes: ['DEU', 'PRT'],
    // The stock is odd, and the first country gets the remainder.
    strainLocations: [
      locationIn('DEU', 'Germany', { ...shared, stockQuantity: (stockQuantity + 1) / 2 }),
      locationIn('PRT', 'Portugal', { ...shared, stockQuantity: (stockQuantity - 1) / 2 }),
    ],
    planet: { number: 1, name: 'Verdane' },
  });
  expect(dataOf<Strain>(await holder.ask('GET', `/dapp/strains/${strain.id}`))).toEqual(strain);
  const search = encodeURIComponent(strain.name);
  const { strains } = dataOf<StrainPage>(await holder.ask('GET', `/dapp/strains?search=${search}`));
  expect(strains).toEqual([strain]);
});

it('takes what is required alone: it is sold nowhere yet, and the rest is empty', async () => {
  const { id, name, ...fields } = await createStrain({});
  expect(fields).toEqual({
    ...required,
    description: '',
    flavour: '',
    feelings: '',
    helpsWith: '',
    stockQuantity: 0,
    isActive: true,
    isAvailable: false,
    imageUrl: null,
    strainImages: [],
    countryCodes: [],
    strainLocations: [],
    planet: { number: 1, name: 'Verdane' },
  });
});

it.each([
  ['0', 0],
  ['7', 7],
  ['0.1', 0.1],
  ['120.00', 120],
  ['9999999999.99', 9_999_999_999.99],
  [0, 0],
  [0.29, 0.29],
  [120, 120],
])('takes %j for a price of %d', async (given, shown) => {
  expect((await createStrain({ retailPrice: given })).retailPrice).toBe(shown);
});

it('takes every percentage with two decimals', async () => {
  for (const thc of [0.01, 0.07, 0.29, 1.1, 9.95, 16.67, 57.58, 99.99]) {
    expect((await createStrain({ thc })).thc).toBe(thc);
  }
});

it('finds the planet by number, by name in any case and by id', async () => {
  const number = 1_000 * holder.tokenId;
  const body = { number, name: `Home of ${number}` };
  const planet = dataOf<Planet>(await admin.ask('POST', '/admin/planets', { body }));
  for (const reference of [String(number), `HOME of ${number}`, planet.id, planet.id.toUpperCase()]) {
    expect((await createStrain({ planet: reference })).planet).toEqual(body);
  }
});

it('writes an audit row', async () => {
  const { id, ...fields } = await createStrain({});
  expect(
    await sql('SELECT administrator, subject, action, before, after FROM audit WHERE subject_id = $1', [id]),
  ).toEqual([
    {
      administrator: admin.walletAddress,
      subject: 'STRAIN',
      action: 'CREATE',
      before: null,
      after: { ...fields, isAvailable: true },
    },
  ]);
});

it('adds one strain for the same request sent twice with an Idempotency-Key', async () => {
  const body = { name: newName(), ...required };
  const ask = () =>
    admin.ask('POST', '/admin/strains', { body, headers: { 'idempotency-key': `strain ${body.name}` } });
  const [first, second] = [await ask(), await ask()];
  expect([first.status, second.status]).toEqual([201, 201]);
  expect(second.text).toBe(first.text);
  expect(second.headers.get('idempotent-replayed')).toBe('true');
  expect(await sql('SELECT FROM audit WHERE subject_id = $1', [dataOf<Strain>(first).id])).toHaveLength(1);
});
