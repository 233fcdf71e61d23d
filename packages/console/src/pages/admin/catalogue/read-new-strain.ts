import type { NewStrain } from '@keyfront/sdk';
import { readAmount } from '../../../format/read-cents.ts';

/** Reads the form of a new strain. What is left empty is left out, and the service judges the rest. */
export function readNewStrain(form: FormData): NewStrain {
  const text = (name: string) => String(form.get(name) ?? '').trim();
  // A decimal comma is as good as a point.
  const number = (name: string) => Number(text(name).replace(',', '.'));
  return {
    name: text('name'),
    planet: text('planet'),
    type: text('type') as NewStrain['type'],
    thc: number('thc'),
    cbd: number('cbd'),
    retailPrice: readAmount(text('retailPrice')),
    currency: text('currency').toUpperCase(),
    countryCodes: text('countryCodes').toUpperCase().split(',').filter(Boolean),
    ...(text('stockQuantity') === '' ? {} : { stockQuantity: number('stockQuantity') }),
    ...(text('description') === '' ? {} : { description: text('description') }),
  };
}
