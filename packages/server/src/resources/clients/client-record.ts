import type { AdminClient, Client, ClientBusiness, ShippingAddress } from '@keyfront/protocol';
import type { ProviderLinks } from '../providers/provider-links.ts';

/** The stored form of what a response has as `shippings`, `clientBusinesses`, `clientCart` and `kycLink`. */
interface StoredParts {
  /** All addresses but the default. */
  readonly otherShippings: ShippingAddress[];
  readonly business: ClientBusiness | null;
  /** The id of the client until its first cart is stored; see cart-queries.ts. */
  readonly cartId: string;
  readonly kycReference: string | null;
  readonly kycReturnUrl: string | null;
}

type DescribedParts = Pick<Client, 'shippings' | 'clientBusinesses' | 'clientCart' | 'kycLink'>;

/** A client as the queries read it. */
export type ClientRow = Omit<Client, keyof DescribedParts> & StoredParts;
export type AdminClientRow = Omit<AdminClient, keyof DescribedParts> & StoredParts;

/** With the encrypted medical record, or nulls without one. */
export type ClientDetailsRow = ClientRow & {
  readonly recordKeyId: string | null;
  readonly recordCiphertext: Buffer | null;
  readonly recordCreatedAt: string | null;
};

/** The default address. */
export const shippingColumn = `json_build_object('address1', shipping_address1, 'address2', shipping_address2,
    'landmark', shipping_landmark, 'city', shipping_city, 'state', shipping_state, 'country', shipping_country,
    'countryCode', shipping_country_code, 'postalCode', shipping_postal_code)`;

/** Adds the described parts to a row, in place. The schema of a response or event drops the stored parts. */
export function toClient<Row extends ClientRow>(row: Row, kycLinks: ProviderLinks): Row & DescribedParts {
  const { business, kycReference, kycReturnUrl } = row;
  return Object.assign(row, {
    shippings: listShippings(row.shipping, row.otherShippings),
    clientCart: [{ id: row.cartId }],
    clientBusinesses: business === null ? [] : [business],
    kycLink: kycLinks.link(kycReference, { returnUrl: kycReturnUrl ?? '' }),
  });
}

/** Lists all addresses of a client, the default first. A client without one has an empty default. */
export function listShippings(
  shipping: ShippingAddress,
  others: readonly ShippingAddress[],
): ShippingAddress[] {
  const hasAddress = others.length > 0 || Object.values(shipping).some((text) => text !== '');
  return hasAddress ? [shipping, ...others] : [];
}
