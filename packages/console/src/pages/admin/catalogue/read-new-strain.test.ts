import { expect, it } from 'vitest';
import { readNewStrain } from './read-new-strain.ts';

it('reads what was filled in', () => {
  const form = new FormData();
  const fields = { name: ' Lunar Sage ', planet: '7', type: 'INDICA', thc: '18,5', cbd: '0.8' };
  for (const [name, value] of Object.entries({
    ...fields,
    retailPrice: '12,50',
    currency: 'eur',
    countryCodes: 'PRT',
  })) {
    form.set(name, value);
  }
  const strain = { name: 'Lunar Sage', planet: '7', type: 'INDICA', thc: 18.5, cbd: 0.8 };
  const expected = { ...strain, retailPrice: '12.50', currency: 'EUR', countryCodes: ['PRT'] };
  expect(readNewStrain(form)).toEqual(expected);
  form.set('stockQuantity', '40');
  form.set('description', 'Slow.');
  expect(readNewStrain(form)).toEqual({ ...expected, stockQuantity: 40, description: 'Slow.' });
});
