import type { Strain } from '@keyfront/protocol';
import { expect, it } from 'vitest';
import { dataOf, openStorefront } from '../../support/storefront.ts';
import { insertStrain, locationIn } from '../../support/storefront-data.ts';

const { holder, stranger, sibling, admin, sql } = await openStorefront();

it('returns every field of the strain, the same to all callers', async () => {
  const { id, name } = await insertStrain(sql, { stock: 3, price: 12.5, isAvailable: false });
  for (const caller of [holder, holder.signedIn, stranger, sibling, admin]) {
    const reply = await caller.ask('GET', `/dapp/strains/${id}`);
    expect(reply.status).toBe(200);
    expect(dataOf<Strain>(reply)).toEqual({
      id,
      name,
      description: '',
      type: 'HYBRID',
      thc: 18,
      cbd: 1,
      flavour: '',
      feelings: '',
      helpsWith: '',
      retailPrice: 12.5,
      currency: 'EUR',
      stockQuantity: 3,
      isActive: false,
      isAvailable: false,
      imageUrl: null,
      strainImages: [],
      countryCodes: ['PRT'],
      strainLocations: [
        locationIn('PRT', 'Portugal', { stockQuantity: 3, retailPrice: 12.5, isAvailable: false }),
      ],
      planet: { number: 1, name: 'Verdane' },
    });
  }
});

it('takes the id in any case', async () => {
  const { id } = await insertStrain(sql);
  const reply = await holder.ask('GET', `/dapp/strains/${id.toUpperCase()}`);
  expect(dataOf<Strain>(reply).id).toBe(id);
});
