import { expect, it } from 'vitest';
import { nameCountry as nameOnService, readCountryCode } from '../../../validation/src/countries.ts';
import { countries, nameCountry } from './countries.ts';

it('names countries as the service does', () => {
  expect([nameCountry('DEU'), nameCountry('XKX'), nameCountry('QQQ'), nameCountry('')]).toEqual([
    'Germany',
    'Kosovo',
    'QQQ',
    '',
  ]);
  for (const { value, label } of countries) expect(label).toBe(nameOnService(value));
});

it('offers every country that the service takes, by name', () => {
  expect(countries.length).toBeGreaterThan(240);
  for (const { value } of countries) expect(readCountryCode(value)).toBe(value);
  expect(countries[0]?.label).toBe('Afghanistan');
});
