import { randomUUID } from 'node:crypto';
import type { Client, ClientDetails, StrainLocation } from '@keyfront/protocol';
import { expect } from 'vitest';
import { dataOf, type Storefront, type TestCaller } from './storefront.ts';

type Sql = Storefront['sql'];

interface ClientRow {
  readonly id: string;
  readonly email: string;
}

/** Inserts a client who may order, with these changes to the defaults. */
export async function insertClient(
  sql: Sql,
  tokenId: number,
  {
    firstName = 'Ada',
    lastName = 'Example',
    email = `${randomUUID()}@example.org`,
    adminApproval = 'VERIFIED',
    isKycVerified = true,
    isActive = true,
    countryCode = 'PRT',
  } = {},
): Promise<ClientRow> {
  const [row] = await sql<{ id: string }>(
    `INSERT INTO clients (token_id, first_name, last_name, email, admin_approval, is_kyc_verified, is_active,
       shipping_address1, shipping_city, shipping_country_code)
     VALUES ($1, $2, $3, $4, $5, $6, $7, 'Rua do Exemplo 1', 'Lisboa', $8) RETURNING id`,
    [tokenId, firstName, lastName, email, adminApproval, isKycVerified, isActive, countryCode],
  );
  return { id: row?.id ?? '', email };
}

/** Reads a client, without the medical record, which no other operation returns. */
export async function readClient(caller: TestCaller, id: string): Promise<Client> {
  const reply = await caller.ask('GET', `/dapp/clients/${id}`);
  const { medicalRecord: _none, ...client } = dataOf<ClientDetails>(reply);
  return client;
}

interface StrainRow {
  readonly id: string;
  readonly name: string;
}

/** A strain of its own at this price, with this stock in each of the countries. */
export async function insertStrain(
  sql: Sql,
  {
    name = `Strain ${randomUUID()}`,
    stock = 100,
    price = 10,
    currency = 'EUR',
    isAvailable = true,
    countryCodes = ['PRT'],
  } = {},
): Promise<StrainRow> {
  const [row] = await sql<{ id: string }>(
    `WITH strain AS (
       INSERT INTO strains (planet_id, name, type, thc, cbd, retail_price, currency, is_available)
       SELECT id, $1, 'HYBRID', 18, 1, $2, $3, $5 FROM planets WHERE number = 1 RETURNING id
     ), located AS (
       INSERT INTO strain_locations (strain_id, country_code, stock_quantity)
       SELECT strain.id, country, $4 FROM strain, unnest($6::text[]) AS country
     )
     SELECT id FROM strain`,
    [name, price, currency, stock, isAvailable, countryCodes],
  );
  return { id: row?.id ?? '', name };
}

/** Puts strains into the client's cart; gives the cart's id. */
export async function insertCart(
  sql: Sql,
  tokenId: number,
  clientId: string,
  items: readonly { readonly strainId: string; readonly quantity: number }[],
): Promise<string> {
  const [row] = await sql<{ id: string }>(
    `INSERT INTO carts (token_id, client_id) VALUES ($1, $2)
     ON CONFLICT (client_id) DO UPDATE SET client_id = excluded.client_id RETURNING id`,
    [tokenId, clientId],
  );
  const cartId = row?.id ?? '';
  for (const { strainId, quantity } of items) {
    await sql('INSERT INTO cart_items (cart_id, strain_id, token_id, quantity) VALUES ($1, $2, $3, $4)', [
      cartId,
      strainId,
      tokenId,
      quantity,
    ]);
  }
  return cartId;
}

/** The address of a client who has none. */
export const emptyAddress = {
  address1: '',
  address2: '',
  landmark: '',
  city: '',
  state: '',
  country: '',
  countryCode: '',
  postalCode: '',
};

/** The fields of a client in a response that nobody has set. */
export const untouchedClientFields = {
  phoneCode: '',
  phoneCountryCode: '',
  contactNumber: '',
  title: '',
  marketingConsent: false,
  verificationType: 'KYC',
  externalReference: '',
  metadata: {},
  shipping: emptyAddress,
  shippings: [],
  clientCart: [{ id: expect.stringMatching(/^[0-9a-f-]{36}$/) }],
  clientBusinesses: [],
  approvedAt: null,
  rejectedAt: null,
};

const clientAddress = { ...emptyAddress, address1: 'Rua do Exemplo 1', city: 'Lisboa', countryCode: 'PRT' };
/** The same of a client that `insertClient` has inserted, which has an address. */
export const insertedClientFields = {
  ...untouchedClientFields,
  shipping: clientAddress,
  shippings: [clientAddress],
};

/** A UUID that nothing has. */
export const unknownId = '019a8f3e-7c00-7000-8000-00000000dead';

/** The fields of a client that describe an identity check, as a test service shows them. */
export const kycFieldsOf = (status: string, verifiedAt: unknown = null) => ({
  kycLink: expect.stringMatching(/^https:\/\/identity\.test\/start\?reference=[0-9a-f-]{36}$/),
  kycStatus: status,
  kycVerifiedAt: verifiedAt,
});

/** A location of a strain as it is sent, with these changes to the defaults of `insertStrain`. */
export function locationIn(
  countryCode: string,
  country: string,
  changes: Partial<Omit<StrainLocation, 'location'>> = {},
): StrainLocation {
  const location = {
    id: expect.any(String),
    isActive: true,
    isAvailable: true,
    stockQuantity: 100,
    retailPrice: 10,
    currency: 'EUR',
    ...changes,
  };
  const delivery = { deliveryCharge: expect.any(Number), freeDeliveryAbove: null };
  return { ...location, location: { country, countryCode, currency: location.currency, ...delivery } };
}
