import { type Static, Type } from 'typebox';
import { textPatterns } from './text-patterns.ts';
import { Personal, Text, Untrusted } from './values.ts';

const commonFields = {
  address1: Text(200, 'Street and number', 'Rua do Exemplo 1'),
  address2: Text(200, 'Second address line', '2.º esq.'),
  landmark: Text(200, 'Something nearby that helps to find the address', 'Opposite the fountain'),
  city: Text(100, 'City', 'Lisboa'),
  state: Text(100, 'State or region', 'Lisboa'),
  country: Text(100, 'Name of the country', 'Portugal'),
  postalCode: Text(20, 'Postal code', '1000-001'),
};

const addressFields = {
  ...commonFields,
  countryCode: Type.String({
    description: 'Country (ISO 3166-1 alpha-3), or empty if it is not known',
    examples: ['PRT'],
  }),
};

/** In a request the country may be given in other ways. */
const newAddressFields = {
  ...commonFields,
  countryCode: Type.String({
    pattern: textPatterns.countryCodeOrEmpty.pattern,
    description:
      'Country (ISO 3166-1 alpha-3 or alpha-2), or empty. Without it, the service reads the country from `country`, if that is a ' +
      'code or an English name',
    examples: ['PRT'],
  }),
};

export const ShippingAddress = Personal(
  Untrusted(
    Type.Object(addressFields, {
      title: 'ShippingAddress',
      description: 'Address that orders are shipped to',
    }),
  ),
);
export type ShippingAddress = Static<typeof ShippingAddress>;

export const NewShippingAddress = Type.Partial(Type.Object(newAddressFields), {
  title: 'NewShippingAddress',
  description: 'Address that orders are shipped to',
});
export type NewShippingAddress = Static<typeof NewShippingAddress>;

export const ShippingAddressChange = Type.Partial(Type.Object(newAddressFields), {
  title: 'ShippingAddressChange',
  description: 'Fields that are left out keep their value',
  minProperties: 1,
});

const businessFields = {
  businessType: Text(100, 'Kind of business', 'Pharmacy'),
  name: Text(200, 'Name of the business', 'Example Lda.'),
};

export const ClientBusiness = Personal(
  Untrusted(
    Type.Object(
      { ...businessFields, ...addressFields },
      { title: 'ClientBusiness', description: 'A business that the client buys for' },
    ),
  ),
);
export type ClientBusiness = Static<typeof ClientBusiness>;

const businessChange = Type.Partial(Type.Object({ ...businessFields, ...newAddressFields }));

/** The business of a client in a request; null removes it. */
export const ClientBusinessChange = () =>
  Type.Unsafe<Static<typeof businessChange> | null>({
    type: ['object', 'null'],
    properties: businessChange.properties,
    description:
      'The business that the client buys for. Fields that are left out keep their value; null removes it',
  });
export type ClientBusinessChange = Static<ReturnType<typeof ClientBusinessChange>>;
