/** A planet for the reference. */
export const examplePlanet = {
  id: '019a8f3e-7c00-7000-8000-000000000007',
  number: 7,
  name: 'Verdane',
  description: 'Terraced valleys under two slow suns.',
  imageUrl: null,
};
