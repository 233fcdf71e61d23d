import { iso31661, iso31661Alpha2ToAlpha3 } from 'iso-3166';

/** Kosovo: the standard reserves these codes for its users, and the European Union and the International Monetary Fund use them. */
const kosovo = { alpha2: 'XK', alpha3: 'XKX', name: 'Kosovo' };

const alpha3ByAlpha2: ReadonlyMap<string, string> = new Map([
  ...Object.entries(iso31661Alpha2ToAlpha3),
  [kosovo.alpha2, kosovo.alpha3],
]);
const alpha2ByAlpha3: ReadonlyMap<string, string> = new Map(
  [...alpha3ByAlpha2].map(([alpha2, alpha3]) => [alpha3, alpha2]),
);

/** Reads an ISO 3166-1 code, alpha-3 or alpha-2 in any case, as alpha-3. Returns null if no country has it. */
export function readCountryCode(text: string): string | null {
  const code = text.toUpperCase();
  return alpha2ByAlpha3.has(code) ? code : (alpha3ByAlpha2.get(code) ?? null);
}

// The standard has names such as "Bolivia, Plurinational State of"; these are the ones that people write in addresses.
const shortNames = new Intl.DisplayNames('en', { type: 'region' });

/** Returns the English name of a country by its alpha-3 code, or the code itself if no country has it. */
export function nameCountry(alpha3: string): string {
  const alpha2 = alpha2ByAlpha3.get(alpha3);
  return (alpha2 && shortNames.of(alpha2)) ?? alpha3;
}

let alpha3ByName: ReadonlyMap<string, string> | null = null;

/** Finds a country by its code or its English name, in any case, as alpha-3. Returns null if there is none. */
export function findCountry(codeOrName: string): string | null {
  const text = codeOrName.trim();
  alpha3ByName ??= new Map([
    ...iso31661.map(({ name, alpha3 }) => [name.toLowerCase(), alpha3] as const),
    ...[...alpha2ByAlpha3.keys()].map((alpha3) => [nameCountry(alpha3).toLowerCase(), alpha3] as const),
  ]);
  return readCountryCode(text) ?? alpha3ByName.get(text.toLowerCase()) ?? null;
}
