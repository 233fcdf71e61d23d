import type {
  ClientBusinessChange,
  ClientChange,
  NewClient,
  NewShippingAddress,
  ShippingAddress,
} from '@keyfront/protocol';
import { readCountryFields } from '../../lib/country-of-address.ts';
import { validationFailed } from '../../lib/errors/api-error.ts';

type PlainFields = Omit<ClientChange, 'shipping' | 'shippings' | 'clientBusiness' | 'medicalRecord'>;

/** The fields of a client that a request sets, in the form in which they are stored. Absent fields keep their value. */
export interface ClientInput extends PlainFields {
  /** Fields of the default address. */
  readonly shipping?: NewShippingAddress;
  /** All addresses but the default. */
  readonly otherShippings?: ShippingAddress[];
  /** Null removes the business. */
  readonly business?: ClientBusinessChange;
}

const emptyAddress: ShippingAddress = {
  address1: '',
  address2: '',
  landmark: '',
  city: '',
  state: '',
  country: '',
  countryCode: '',
  postalCode: '',
};

/** A business none of whose fields is set. */
export const emptyBusiness = { businessType: '', name: '', ...emptyAddress };

/** Reads the fields that a request sets, or throws the 400. */
export function readClientInput(request: Omit<NewClient | ClientChange, 'medicalRecord'>): ClientInput {
  const { shipping, shippings, clientBusiness, ...plain } = request;
  const business =
    clientBusiness === undefined
      ? {}
      : { business: clientBusiness && withCountry(clientBusiness, 'clientBusiness') };
  const given = shipping && withCountry(shipping, 'shipping');
  if (shippings === undefined) return { ...plain, ...business, ...(given && { shipping: given }) };
  const [first = emptyAddress, ...others] = shippings.map((address, index) => ({
    ...emptyAddress,
    ...withCountry(address, `shippings.${index}`),
  }));
  if (given && !agree(given, first)) {
    throw validationFailed(['shippings.0 must be the same address as shipping']);
  }
  // A list replaces all addresses, so every field of the default address is set.
  return { ...plain, ...business, shipping: { ...first, ...given }, otherShippings: others };
}

/** Whether no field has a value in both addresses that differs. */
function agree(one: NewShippingAddress, other: ShippingAddress): boolean {
  const fields = Object.keys(emptyAddress) as (keyof ShippingAddress)[];
  return fields.every((field) => !one[field] || !other[field] || one[field] === other[field]);
}

function withCountry<Address extends Pick<NewShippingAddress, 'country' | 'countryCode'>>(
  address: Address,
  path: string,
): Address {
  return { ...address, ...readCountryFields(address, path) };
}
