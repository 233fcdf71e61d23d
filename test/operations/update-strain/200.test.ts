import { randomUUID } from 'node:crypto';
import type { Planet, Strain } from '@keyfront/protocol';
import { describe, expect, it } from 'vitest';
import { dataOf, openStorefront } from '../../support/storefront.ts';
import { insertStrain, locationIn } from '../../support/storefront-data.ts';

const { holder, admin, sql } = await openStorefront();

const readStrain = async (strainId: string) =>
  dataOf<Strain>(await holder.ask('GET', `/dapp/strains/${strainId}`));

async function newStrain(stock = 100): Promise<Strain> {
  return readStrain((await insertStrain(sql, { stock })).id);
}

async function updateStrain(strainId: string, body: object): Promise<Strain> {
  const reply = await admin.ask('PATCH', `/admin/strains/${strainId}`, { body });
  expect(reply.status).toBe(200);
  return dataOf<Strain>(reply);
}

const auditOf = (strainId: string) =>
  sql(
    'SELECT administrator, subject, action, before, after FROM audit WHERE subject_id = $1 ORDER BY created_at, id',
    [strainId],
  );

it('changes each field alone, visible to everyone', async () => {
  let strain = await newStrain();
  for (const change of [
    { name: `Renamed ${holder.tokenId}` },
    { description: 'Warm' },
    { description: '' },
    { type: 'INDICA' },
    { thc: 0.07 },
    { cbd: 0 },
    { flavour: 'pine' },
    { feelings: 'calm' },
    { helpsWith: 'sleep' },
    { retailPrice: 0.29 },
    { currency: 'USD' },
    { stockQuantity: 0 },
    { isActive: false },
    { imageUrl: 'https://images.example/1.png' },
    { imageUrl: null },
    { countryCodes: [] },
    { countryCodes: ['DEU', 'ESP'] },
  ] as const) {
    const parts = { strainLocations: expect.any(Array), strainImages: expect.any(Array) };
    // Without stock, nothing can be ordered.
    const isAvailable = strain.isAvailable && !('stockQuantity' in change);
    const changed = { ...strain, isAvailable, ...change, ...parts };
    const response = await updateStrain(strain.id, change);
    expect(response).toEqual(changed);
    strain = await readStrain(strain.id);
    expect(strain).toEqual(response);
  }
});

describe('the countries of a strain', () => {
  const countriesOf = ({ strainLocations }: Strain) =>
    strainLocations.map(({ location, isActive, stockQuantity, retailPrice, currency }) => [
      location.countryCode,
      isActive,
      stockQuantity,
      retailPrice,
      currency,
    ]);

  it('have a price and a stock of their own', async () => {
    const { id } = await newStrain(5);
    const strainLocations = [
      { countryCode: 'za', stockQuantity: 7, retailPrice: '199.9', currency: 'ZAR' },
      { countryCode: 'PRT', stockChange: 3 },
    ];
    const strain = await updateStrain(id, { strainLocations });
    expect(countriesOf(strain)).toEqual([
      ['PRT', true, 8, 10, 'EUR'],
      ['ZAF', true, 7, 199.9, 'ZAR'],
    ]);
    expect(strain).toMatchObject({ stockQuantity: 15, retailPrice: 10, currency: 'EUR' });
    const inZaf = dataOf<Strain>(await holder.ask('GET', `/dapp/strains/${id}?countryCode=za`));
    expect(inZaf).toMatchObject({ stockQuantity: 7, retailPrice: 199.9, currency: 'ZAR', isAvailable: true });
    expect(countriesOf(inZaf)[0]?.[0]).toBe('ZAF');
    const inDeu = dataOf<Strain>(await holder.ask('GET', `/dapp/strains/${id}?countryCode=DEU`));
    expect(inDeu).toMatchObject({ stockQuantity: 0, isAvailable: false });

    // The base price applies where there is no other.
    expect(countriesOf(await updateStrain(id, { retailPrice: 11, currency: 'USD' }))).toEqual([
      ['PRT', true, 8, 11, 'USD'],
      ['ZAF', true, 7, 199.9, 'ZAR'],
    ]);
    const based = { strainLocations: [{ countryCode: 'ZAF', retailPrice: null, isActive: false }] };
    expect(countriesOf(await updateStrain(id, based))[1]).toEqual(['ZAF', false, 7, 11, 'USD']);
  });

  it('share the stock that is given for all of them', async () => {
    const { id } = await newStrain(0);
    await updateStrain(id, { countryCodes: ['PRT', 'DEU', 'FR'] });
    expect(countriesOf(await updateStrain(id, { stockQuantity: 11 })).map(([, , stock]) => stock)).toEqual([
      5, 3, 3,
    ]);
    expect(countriesOf(await updateStrain(id, { stockChange: -7 })).map(([, , stock]) => stock)).toEqual([
      2, 1, 1,
    ]);
    const reply = await admin.ask('PATCH', `/admin/strains/${id}`, { body: { stockChange: -4 } });
    expect([reply.status, reply.envelope.code]).toEqual([200, undefined]);
  });

  it('keep their stock while the strain is not sold there', async () => {
    const { id } = await newStrain(9);
    const nowhere = await updateStrain(id, { countryCodes: [] });
    expect(nowhere).toMatchObject({ stockQuantity: 9, isAvailable: false, countryCodes: [] });
    expect(countriesOf(nowhere)).toEqual([['PRT', false, 9, 10, 'EUR']]);
    expect(await updateStrain(id, { countryCodes: ['PT'] })).toMatchObject({
      stockQuantity: 9,
      isAvailable: true,
      countryCodes: ['PRT'],
    });
  });

  it('share the stock of a strain that was sold nowhere', async () => {
    const body = {
      name: `Stocked ${randomUUID()}`,
      type: 'INDICA',
      thc: 1,
      cbd: 1,
      retailPrice: 1,
      currency: 'EUR',
    };
    const reply = await admin.ask('POST', '/admin/strains', {
      body: { ...body, planet: '1', stockQuantity: 5 },
    });
    const strain = dataOf<Strain>(reply);
    expect(strain).toMatchObject({ stockQuantity: 5, strainLocations: [] });
    const located = await updateStrain(strain.id, { countryCodes: ['DEU', 'PRT'] });
    expect(located.stockQuantity).toBe(5);
    expect(countriesOf(located).map(([, , stock]) => stock)).toEqual([3, 2]);
  });
});

it('moves a strain to another planet: by number, name or id', async () => {
  const number = 1_000 * holder.tokenId;
  const body = { number, name: `Elsewhere ${number}` };
  const planet = dataOf<Planet>(await admin.ask('POST', '/admin/planets', { body }));
  const strain = await newStrain();
  for (const reference of [String(number), body.name.toLowerCase(), planet.id]) {
    expect((await updateStrain(strain.id, { planet: reference })).planet).toEqual(body);
    expect(await updateStrain(strain.id, { planet: 'verdane' })).toEqual(strain);
  }
  const [first] = await auditOf(strain.id);
  expect(first).toMatchObject({
    before: { planet: { number: 1, name: 'Verdane' } },
    after: { planet: body },
  });
});

it('changes several fields, and audits those that differ', async () => {
  const strain = await newStrain(5);
  await updateStrain(strain.id, { retailPrice: 11.9, type: strain.type, stockChange: 3, countryCodes: [] });
  expect(await auditOf(strain.id)).toEqual([
    {
      administrator: admin.walletAddress,
      subject: 'STRAIN',
      action: 'CHANGE',
      before: {
        retailPrice: 10,
        stockQuantity: 5,
        countryCodes: ['PRT'],
        strainLocations: [locationIn('PRT', 'Portugal', { stockQuantity: 5 })],
      },
      after: {
        retailPrice: 11.9,
        stockQuantity: 8,
        countryCodes: [],
        strainLocations: [
          locationIn('PRT', 'Portugal', {
            stockQuantity: 8,
            retailPrice: 11.9,
            isActive: false,
            isAvailable: false,
          }),
        ],
      },
    },
  ]);
});

it('writes no audit row if nothing differs', async () => {
  const strain = await newStrain();
  const { id, planet: _planet, strainLocations: _locations, ...fields } = strain;
  expect(await updateStrain(id, { ...fields, retailPrice: 10, planet: '1' })).toEqual(strain);
  expect(await updateStrain(id, { stockChange: 0 })).toEqual(strain);
  expect(await auditOf(id)).toEqual([]);
});

it('adds to the stock what is said, and takes from it down to zero', async () => {
  const { id } = await newStrain(10);
  expect((await updateStrain(id, { stockChange: 5 })).stockQuantity).toBe(15);
  expect((await updateStrain(id, { stockChange: -15 })).stockQuantity).toBe(0);
  expect((await updateStrain(id, { stockChange: 2_147_483_647 })).stockQuantity).toBe(2_147_483_647);
  expect((await updateStrain(id, { stockQuantity: 7 })).stockQuantity).toBe(7);
});

it('loses nothing that is taken while the stock is changed', async () => {
  const { id } = await newStrain(100);
  await Promise.all([
    ...Array.from({ length: 10 }, () => updateStrain(id, { stockChange: 7 })),
    // As orders do.
    ...Array.from({ length: 10 }, () =>
      sql('UPDATE strain_locations SET stock_quantity = stock_quantity - 3 WHERE strain_id = $1', [id]),
    ),
    updateStrain(id, { description: 'Meanwhile' }),
  ]);
  expect(await readStrain(id)).toMatchObject({ stockQuantity: 140, description: 'Meanwhile' });
});

it('notes each of many changes as it was at its turn', async () => {
  const { id } = await newStrain(0);
  await Promise.all(Array.from({ length: 6 }, () => updateStrain(id, { stockChange: 1 })));
  const steps = (await auditOf(id)).map(({ before, after }) => [before.stockQuantity, after.stockQuantity]);
  expect(steps.sort()).toEqual([
    [0, 1],
    [1, 2],
    [2, 3],
    [3, 4],
    [4, 5],
    [5, 6],
  ]);
});

it('lets a strain keep its own name in another case', async () => {
  const strain = await newStrain();
  const name = strain.name.toUpperCase();
  expect((await updateStrain(strain.id, { name })).name).toBe(name);
});
