import type { NewClient } from '@keyfront/sdk';

/** The fields of the form as the API takes them. An emptied field is sent empty, so that it is emptied there too. */
export function readClientForm(form: FormData): NewClient {
  const text = (name: string) => String(form.get(name) ?? '').trim();
  const shippingNames = ['address1', 'address2', 'postalCode', 'city', 'state', 'countryCode'] as const;
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
    ...(hasAddress ? { shipping } : {}),
  };
}
