import type {
  ClientBusinessChange,
  ClientChange,
  NewClient,
  NewShippingAddress,
  ShippingAddress,
} from '@keyfront/protocol';
import { findCountry } from '../../countries.ts';

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

/** Reads the fields that a request sets. */
export function readClientInput(request: Omit<NewClient | ClientChange, 'medicalRecord'>): ClientInput {
  const { shipping, shippings, clientBusiness, ...plain } = request;
  const business =
    clientBusiness === undefined ? {} : { business: clientBusiness && withCountryCode(clientBusiness) };
  if (shippings === undefined) {
    return { ...plain, ...business, ...(shipping && { shipping: withCountryCode(shipping) }) };
  }
  const [first = emptyAddress, ...others] = shippings.map(completeAddress);
  return {
    ...plain,
    ...business,
    // A list replaces all addresses, so every field of the default address is set.
    shipping: { ...first, ...(shipping && withCountryCode(shipping)) },
    otherShippings: others,
  };
}

function completeAddress(address: NewShippingAddress): ShippingAddress {
  return { ...emptyAddress, ...withCountryCode(address) };
}

/** Writes the country code as alpha-3. Without a code, `country` gives it, if that is a code or a name that is known. */
function withCountryCode<Address extends Pick<NewShippingAddress, 'country' | 'countryCode'>>(
  address: Address,
): Address {
  const countryCode = findCountry(address.countryCode || (address.country ?? ''));
  return countryCode === null ? address : { ...address, countryCode };
}
