import type { ShippingAddress } from '@keyfront/sdk';
import { expect, it } from 'vitest';
import { readClientForm } from './read-client-form.ts';

const formOf = (fields: Record<string, string>) => {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) form.set(name, value);
  return form;
};
const address = (city: string) => ({ city }) as ShippingAddress;

it('sends the address, with the fields that were emptied', () => {
  const { shipping } = readClientForm(formOf({ 'shipping.city': ' Porto ' }), [address('Lisboa')]);
  expect(shipping).toMatchObject({ city: 'Porto', address1: '', countryCode: '' });
});

it('removes an address that was emptied, and keeps the others', () => {
  const others = [address('Porto'), address('Faro')];
  expect(readClientForm(formOf({}), [address('Lisboa'), ...others])).toMatchObject({ shippings: others });
  expect(readClientForm(formOf({}), [address('Lisboa')])).toMatchObject({ shippings: [] });
});

it('sends no address where there is none', () => {
  const fields = readClientForm(formOf({ firstName: 'Ada' }), []);
  expect(fields).not.toHaveProperty('shipping');
  expect(fields).not.toHaveProperty('shippings');
});
