import type { Strain, StrainChange, StrainLocationChange } from '@keyfront/sdk';
import { readAmount } from '../../../format/read-cents.ts';

/**
 * What differs from the strain. Stock is sent as a difference, because orders take from it while the form is open.
 * Returns null if nothing differs.
 */
export function readStrainForm(strain: Strain, form: FormData): StrainChange | null {
  const text = (name: string) => String(form.get(name) ?? '').trim();
  const strainLocations = strain.strainLocations.flatMap(
    ({ location, retailPrice, isActive }): StrainLocationChange[] => {
      const { countryCode } = location;
      const price = readAmount(text(`price.${countryCode}`));
      const stockChange = Number(text(`stock.${countryCode}`) || 0);
      const isSold = form.has(`active.${countryCode}`);
      const change = {
        ...(price !== '' && Number(price) !== retailPrice ? { retailPrice: price } : {}),
        ...(stockChange === 0 ? {} : { stockChange }),
        ...(isSold === isActive ? {} : { isActive: isSold }),
      };
      return Object.keys(change).length === 0 ? [] : [{ countryCode, ...change }];
    },
  );
  const newCountry = text('newCountry').toUpperCase();
  if (newCountry !== '') {
    strainLocations.push({
      countryCode: newCountry,
      ...(text('newPrice') === '' ? {} : { retailPrice: readAmount(text('newPrice')) }),
      ...(text('newStock') === '' ? {} : { stockQuantity: Number(text('newStock')) }),
    });
  }
  const isActive = form.has('isActive');
  const change: StrainChange = {
    ...(strainLocations.length > 0 ? { strainLocations } : {}),
    ...(isActive === strain.isActive ? {} : { isActive }),
  };
  return Object.keys(change).length === 0 ? null : change;
}
