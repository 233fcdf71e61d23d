import type { Strain } from '@keyfront/sdk';
import { expect, it } from 'vitest';
import { readStrainForm } from './read-strain-form.ts';

const strain = {
  isActive: true,
  isAvailable: true,
  strainLocations: [
    { location: { countryCode: 'PRT' }, retailPrice: 12.5, isActive: true },
    { location: { countryCode: 'ZAF' }, retailPrice: 200, isActive: true },
  ],
} as Strain;
const form = (fields: Record<string, string>) => {
  const data = new FormData();
  for (const [name, value] of Object.entries({ 'price.PRT': '12.5', 'price.ZAF': '200', ...fields }))
    data.set(name, value);
  return data;
};
const unchanged = { isActive: 'on', 'active.PRT': 'on', 'active.ZAF': 'on' };

it('sends only what differs, and stock as a difference', () => {
  expect(readStrainForm(strain, form({ ...unchanged, 'price.PRT': '12,50' }))).toBeNull();
  expect(readStrainForm(strain, form({ ...unchanged, 'price.PRT': '13', 'stock.ZAF': '-4' }))).toEqual({
    strainLocations: [
      { countryCode: 'PRT', retailPrice: '13' },
      { countryCode: 'ZAF', stockChange: -4 },
    ],
  });
  expect(readStrainForm(strain, form({ 'active.PRT': 'on' }))).toEqual({
    strainLocations: [{ countryCode: 'ZAF', isActive: false }],
    isActive: false,
  });
});

it('adds a country, at the base price unless another one is given', () => {
  const added = { ...unchanged, newCountry: 'deu' };
  expect(readStrainForm(strain, form(added))).toEqual({ strainLocations: [{ countryCode: 'DEU' }] });
  expect(readStrainForm(strain, form({ ...added, newPrice: '9,5', newStock: '40' }))).toEqual({
    strainLocations: [{ countryCode: 'DEU', retailPrice: '9.5', stockQuantity: 40 }],
  });
});
