import type { NewShippingAddress, ShippingAddress } from '@keyfront/protocol';
import { findCountry } from '../../countries.ts';

/** Reads the address of a request. The country may be given by code or by name. `countryCode` is alpha-3, or empty. */
export function readOrderAddress(address: NewShippingAddress): ShippingAddress {
  const { address1 = '', address2 = '', landmark = '', city = '', state = '', postalCode = '' } = address;
  const { country = '', countryCode = '' } = address;
  const code = findCountry(countryCode || country) ?? '';
  return { address1, address2, landmark, city, state, country, countryCode: code, postalCode };
}

/** Whether an order can be shipped to the address: it has a street and a country. */
export function isUsableAddress({ address1, countryCode }: ShippingAddress): boolean {
  return address1.trim() !== '' && countryCode !== '';
}
