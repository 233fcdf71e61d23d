import type { Strain, StrainPage } from '@keyfront/protocol';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { insertCatalogue } from '../../../../../test/support/catalogue.ts';
import { curl } from '../../../../../test/support/curl.ts';
import { startTestApp, type TestApp } from '../../../../../test/support/test-app.ts';

let service: TestApp;
beforeAll(async () => {
  service = await startTestApp();
  await insertCatalogue(service.ownerUrl);
});
afterAll(() => service.close());

async function list(query = ''): Promise<StrainPage> {
  const answer = await curl(`${service.origin}/api/v1/dapp/strains${query}`);
  expect(answer.status).toBe(200);
  return (answer.json as { data: StrainPage }).data;
}

const names = ({ strains }: StrainPage) => strains.map((strain) => strain.name);

describe('GET /dapp/strains', () => {
  it('returns the first ten by name when nothing is asked', async () => {
    const page = await list();
    expect(names(page)).toEqual(
      Array.from({ length: 10 }, (_, index) => `Strain ${String(index + 1).padStart(2, '0')}`),
    );
    expect(page.pageMetaDto).toEqual({
      page: 1,
      take: 10,
      itemCount: 25,
      totalCount: 25,
      pageCount: 3,
      hasPreviousPage: false,
      hasNextPage: true,
    });
  });

  it('returns every field of a strain', async () => {
    const { strains } = await list('?search=Strain%2005');
    expect(strains).toEqual([
      {
        id: expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/),
        name: 'Strain 05',
        description: 'half_price and 50% more',
        type: 'HYBRID',
        thc: 18.5,
        cbd: 0.25,
        flavour: 'citrus, pine',
        feelings: 'calm',
        helpsWith: 'sleep',
        retailPrice: 14.5,
        currency: 'EUR',
        stockQuantity: 100,
        isActive: true,
        isAvailable: true,
        imageUrl: null,
        strainImages: [],
        countryCodes: ['DEU', 'PRT'],
        strainLocations: [
          ['DEU', 'Germany'],
          ['PRT', 'Portugal'],
        ].map(([countryCode, country]) => ({
          id: expect.any(String),
          isActive: true,
          isAvailable: true,
          stockQuantity: 50,
          retailPrice: 14.5,
          currency: 'EUR',
          location: {
            country,
            countryCode,
            currency: 'EUR',
            deliveryCharge: 0,
            freeDeliveryAbove: null,
          },
        })),
        planet: { number: 3, name: 'Cinder' },
      },
    ]);
  });

  it('pages without gaps or duplicates', async () => {
    const pages = await Promise.all([1, 2, 3, 4].map((page) => list(`?page=${page}&take=7`)));
    expect(pages.flatMap(names)).toEqual(names(await list('?take=1000')));
    expect(pages[3]?.pageMetaDto).toMatchObject({ pageCount: 4, hasPreviousPage: true, hasNextPage: false });
  });

  it('takes limit as another name of take', async () => {
    expect((await list('?limit=3')).pageMetaDto.take).toBe(3);
    expect((await list('?limit=4&take=4')).pageMetaDto.take).toBe(4);
  });

  it('keeps the count on a page behind the last', async () => {
    const page = await list('?page=2147483647&take=1000');
    expect(page.strains).toEqual([]);
    expect(page.pageMetaDto).toMatchObject({ itemCount: 25, hasPreviousPage: true, hasNextPage: false });
  });

  it('searches in name and description, in any case, with % and _ as themselves', async () => {
    expect((await list('?search=sTRAIN')).pageMetaDto.itemCount).toBe(25);
    expect(names(await list('?search=NUMBER%207'))).toEqual(['Strain 07']);
    expect(names(await list('?search=50%25'))).toEqual(['Strain 05']);
    expect(names(await list('?search=half_price'))).toEqual(['Strain 05']);
    expect((await list('?search=halfXprice')).pageMetaDto.itemCount).toBe(0);
    expect((await list('?search=%5C')).pageMetaDto.itemCount).toBe(0);
    expect((await list("?search='%20OR%20true--")).pageMetaDto.itemCount).toBe(0);
  });

  it('filters by country in any case', async () => {
    expect((await list('?countryCode=DEU')).pageMetaDto.itemCount).toBe(5);
    expect((await list('?countryCode=deu')).pageMetaDto.itemCount).toBe(5);
    expect((await list('?countryCode=ZAF')).pageMetaDto).toMatchObject({ itemCount: 0, pageCount: 0 });
    expect((await list('?country=de')).pageMetaDto.itemCount).toBe(5);
    const refused = await curl(`${service.origin}/api/v1/dapp/strains?countryCode=XYZ`);
    expect(refused.json).toMatchObject({
      statusCode: 400,
      data: ['countryCode must be an ISO 3166-1 country code'],
    });
  });

  it('filters by planet: by number, name or id', async () => {
    const byNumber = await list('?planet=2&take=100');
    expect(byNumber.pageMetaDto.itemCount).toBe(9);
    expect(byNumber.strains.every(({ planet }) => planet.name === 'Low Tide')).toBe(true);
    expect(await list('?planet=low+tide&take=100')).toEqual(byNumber);
    const planets = await curl(`${service.origin}/api/v1/planets`);
    const id = (planets.json as { data: { planets: { id: string }[] } }).data.planets[1]?.id;
    expect(await list(`?planet=${id}&take=100`)).toEqual(byNumber);
    expect((await list('?planet=99999999999999999999')).pageMetaDto.itemCount).toBe(0);
    expect((await list('?planet=Nowhere')).pageMetaDto.itemCount).toBe(0);
  });

  it('ignores an empty filter', async () => {
    expect((await list('?search=&countryCode=&planet=')).pageMetaDto.itemCount).toBe(25);
  });
});

describe('GET /dapp/strains/{strainId}', () => {
  it('returns the strain as the list does', async () => {
    const [strain] = (await list('?take=1')).strains as [Strain];
    const answer = await curl(`${service.origin}/api/v1/dapp/strains/${strain.id}`);
    expect(answer.json).toEqual({ success: true, statusCode: 200, message: 'Success', data: strain });
  });

  it('returns 404 for one that does not exist, and 400 for what is no id', async () => {
    const missing = await curl(`${service.origin}/api/v1/dapp/strains/019a8f3e-7c00-7000-8000-000000000001`);
    expect(missing.json).toEqual({
      success: false,
      statusCode: 404,
      code: 'RESOURCE_NOT_FOUND',
      message: 'Strain not found',
      data: null,
    });
    const invalid = await curl(`${service.origin}/api/v1/dapp/strains/7`);
    expect(invalid.json).toMatchObject({ statusCode: 400, data: ['strainId must be a UUID'] });
  });
});
