import type { NewShippingAddress, ShippingAddress } from '@keyfront/protocol';
import { readCountryFields } from '../../lib/country-of-address.ts';

/** Reads the address of a request, or throws the 400. `countryCode` is alpha-3, or empty. */
export function readOrderAddress(address: NewShippingAddress): ShippingAddress {
  const { address1 = '', address2 = '', landmark = '', city = '', state = '', postalCode = '' } = address;
  const { country = '', countryCode = '' } = readCountryFields(address, 'shippingAddress');
  return { address1, address2, landmark, city, state, country, countryCode, postalCode };
}

/** Whether an order can be shipped to the address: it has a street and a country. */
export function isUsableAddress({ address1, countryCode }: ShippingAddress): boolean {
  return address1.trim() !== '' && countryCode !== '';
}
