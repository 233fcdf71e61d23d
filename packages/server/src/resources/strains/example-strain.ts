/** A strain for the reference. */
export const exampleStrain = {
  id: '019a8f3e-7c00-7000-8000-000000000301',
  name: 'Lunar Saffron',
  description: 'A slow evening strain with a warm, spiced finish.',
  type: 'INDICA',
  thc: 18.5,
  cbd: 0.8,
  flavour: 'saffron, pine',
  feelings: 'calm, happy',
  helpsWith: 'stress, sleep',
  retailPrice: '12.50',
  currency: 'EUR',
  stockQuantity: 240,
  isAvailable: true,
  imageUrl: null,
  countryCodes: ['DEU', 'PRT'],
  planet: { number: 7, name: 'Verdane' },
};
