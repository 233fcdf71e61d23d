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
}

type DescribedParts = Pick<Client, 'shippings' | 'clientBusinesses' | 'clientCart' | 'kycLink'>;

/** A client as the queries read it. */
export type ClientRow = Omit<Client, keyof DescribedParts> & StoredParts;
export type AdminClientRow = Omit<AdminClient, keyof DescribedParts> & StoredParts;

/** With the encrypted medical record, or nulls without one. */
export type ClientDetailsRow = ClientRow & {
  readonly recordKeyId: string | null;
  readonly recordCiphertext: Buffer | null;
};

/** Converts a row to the client of a response. */
export function toClient<Row extends ClientRow>(
  row: Row,
  kycLinks: ProviderLinks,
): Omit<Row, keyof StoredParts> & DescribedParts {
  const { otherShippings, business, cartId, kycReference, ...client } = row;
  const hasAddress = otherShippings.length > 0 || Object.values(row.shipping).some((text) => text !== '');
  return {
    ...client,
    shippings: hasAddress ? [row.shipping, ...otherShippings] : [],
    clientCart: [{ id: cartId }],
    clientBusinesses: business === null ? [] : [business],
    kycLink: kycLinks.link(kycReference),
  };
}
