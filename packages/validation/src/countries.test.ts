import { iso31661 } from 'iso-3166';
import { expect, it } from 'vitest';
import { findCountry, nameCountry, readCountryCode } from './countries.ts';

it('reads every code of the standard, alpha-3 and alpha-2, in any case', () => {
  expect(iso31661.length).toBeGreaterThan(240);
  for (const { alpha2, alpha3 } of iso31661) {
    for (const text of [alpha2, alpha3, alpha2.toLowerCase(), alpha3.toLowerCase()]) {
      expect(readCountryCode(text)).toBe(alpha3);
    }
  }
  expect([readCountryCode('xk'), readCountryCode('Xkx')]).toEqual(['XKX', 'XKX']);
});

it.each(['', 'P', 'XX', 'XXX', 'PRTX', 'Portugal', ' PT', 'constructor', '620'])(
  'knows no code %j',
  (text) => {
    expect(readCountryCode(text)).toBe(null);
  },
);

it('names countries as addresses do', () => {
  expect(['ZAF', 'PRT', 'GBR', 'BOL', 'XKX'].map(nameCountry)).toEqual([
    'South Africa',
    'Portugal',
    'United Kingdom',
    'Bolivia',
    'Kosovo',
  ]);
  expect(nameCountry('QQQ')).toBe('QQQ');
});

it('finds a country by code or name', () => {
  for (const text of ['ZAF', 'za', 'South Africa', ' south africa ']) expect(findCountry(text)).toBe('ZAF');
  expect(findCountry('Bolivia, Plurinational State of')).toBe('BOL');
  for (const { alpha3 } of iso31661) expect(findCountry(nameCountry(alpha3))).toBe(alpha3);
  for (const text of ['', 'Atlantis', 'Portugall']) expect(findCountry(text)).toBe(null);
});
