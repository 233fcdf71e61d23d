import type { NewShippingAddress } from '@keyfront/protocol';
import { findCountry, nameCountry } from '@keyfront/validation/countries';
import { validationFailed } from './errors/api-error.ts';

type CountryFields = Pick<NewShippingAddress, 'country' | 'countryCode'>;

/**
 * Reads the country of an address or of a change to one, or throws the 400. Prices and stock follow the code, and people read the
 * name, so the two must never name different countries:
 *
 * - A known name sets the code. An unknown one removes it.
 * - A code without a name sets the name.
 * - A known name with the code of another country is refused.
 *
 * Fields that the address does not have keep their value.
 */
export function readCountryFields({ country, countryCode }: CountryFields, path: string): CountryFields {
  if (!countryCode) {
    if (country) return { country, countryCode: findCountry(country) ?? '' };
    return { ...(country !== undefined && { country }), ...(countryCode !== undefined && { countryCode }) };
  }
  const code = findCountry(countryCode) ?? '';
  if (!country) return { country: code === '' ? (country ?? '') : nameCountry(code), countryCode: code };
  const named = findCountry(country);
  if (named !== null && named !== code) {
    throw validationFailed([`${path}.countryCode must be the code of ${path}.country`]);
  }
  return { country, countryCode: code };
}
