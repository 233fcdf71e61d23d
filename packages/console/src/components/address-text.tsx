import type { ShippingAddress } from '@keyfront/sdk';
import { Text } from '@mantine/core';
import { nameCountry } from '../format/countries.ts';
import classes from './address-text.module.css';

/** An address as it is written on a parcel. */
export function AddressText({ address }: { readonly address: ShippingAddress }) {
  const { address1, address2, landmark, postalCode, city, state, country, countryCode } = address;
  const lines = [
    address1,
    address2,
    landmark,
    [postalCode, city].filter(Boolean).join(' '),
    state === city ? '' : state,
    country || nameCountry(countryCode),
  ].filter(Boolean);
  if (lines.length === 0) return null;
  return (
    <Text size="sm" component="address" className={classes.address}>
      {lines.map((line) => (
        <bdi key={line} className={classes.line}>
          {line}
        </bdi>
      ))}
    </Text>
  );
}
