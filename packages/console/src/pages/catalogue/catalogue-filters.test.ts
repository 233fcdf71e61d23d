import { expect, it } from 'vitest';
import { readAdminCatalogueFilters, readCatalogueFilters } from './catalogue-filters.ts';

it('reads what is valid, and prices only with a country', () => {
  const search = {
    type: 'INDICA,POTATO,HYBRID',
    feelings: 'calm, happy',
    thcMin: 12,
    thcMax: '101',
    priceMax: '9,5',
    isAvailable: true,
    orderBy: 'thc:desc',
  };
  const filters = {
    type: 'INDICA,HYBRID',
    feelings: 'calm,happy',
    thcMin: 12,
    isAvailable: 'true',
    orderBy: 'thc:desc',
  };
  expect(readCatalogueFilters(search)).toEqual(filters);
  expect(readCatalogueFilters({ ...search, countryCode: 'PRT' })).toEqual({
    ...filters,
    countryCode: 'PRT',
    priceMax: 9.5,
  });
  expect(readCatalogueFilters({ type: 'toString', orderBy: 'price', feelings: ',' })).toEqual({});
});

it('gives administrators no country: a strain would then be shown without its other countries', () => {
  expect(readAdminCatalogueFilters({ countryCode: 'PRT', search: 'rose', type: 'SATIVA' })).toEqual({
    search: 'rose',
    type: 'SATIVA',
  });
});
