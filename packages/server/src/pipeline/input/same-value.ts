import { isDeepStrictEqual } from 'node:util';
import { textPatterns } from '@keyfront/protocol';
import { readCountryCode } from '../../lib/countries.ts';

/** Whether two fields with the same schema say the same. A field that is absent contradicts nothing. */
export function isSameValue(
  { format, pattern }: Readonly<Record<string, unknown>>,
  one: unknown,
  other: unknown,
): boolean {
  if (other === undefined || isDeepStrictEqual(one, other)) return true;
  if (typeof one !== 'string' || typeof other !== 'string') return false;
  if (format === 'uuid') return one.toLowerCase() === other.toLowerCase();
  // PT and PRT are the same country.
  return pattern === textPatterns.countryCode.pattern && readCountryCode(one) === readCountryCode(other);
}
