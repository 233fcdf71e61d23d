import type { NewClient, ShippingAddress } from '@keyfront/sdk';

const shippingNames = ['address1', 'address2', 'postalCode', 'city', 'state', 'countryCode'] as const;

/** The fields of the form, by the names that the API has for them. */
export const clientFields: readonly string[] = [
  ...['firstName', 'lastName', 'email', 'phoneCode', 'contactNumber', 'externalReference'],
  ...shippingNames.map((name) => `shipping.${name}`),
];

/**
 * The fields of the form as the API takes them. An emptied field is sent empty, so that it is emptied there too. An address whose
 * fields are all empty is removed from the addresses of the client.
 */
export function readClientForm(form: FormData, addresses: readonly ShippingAddress[]): NewClient {
  const text = (name: string) => String(form.get(name) ?? '').trim();
  const shipping = Object.fromEntries(shippingNames.map((name) => [name, text(`shipping.${name}`)]));
  const hasAddress = Object.values(shipping).some((value) => value !== '');
  return {
    firstName: text('firstName'),
    lastName: text('lastName'),
    email: text('email'),
    phoneCode: text('phoneCode'),
    contactNumber: text('contactNumber'),
    externalReference: text('externalReference'),
    marketingConsent: form.has('marketingConsent'),
    ...(hasAddress ? { shipping } : addresses.length > 0 ? { shippings: addresses.slice(1) } : {}),
  };
}
