import { expect, it } from 'vitest';
import { facetOptions } from './facet-options.ts';

it('offers what there is with counts, and keeps what is chosen', () => {
  const facet = [
    { value: 'calm', count: 12 },
    { value: 'Happy', count: 1 },
  ];
  expect(facetOptions(facet, 'happy,sleepy')).toEqual({
    chosen: ['Happy', 'sleepy'],
    options: [
      { value: 'calm', label: 'calm', count: 12 },
      { value: 'Happy', label: 'Happy', count: 1 },
      { value: 'sleepy', label: 'sleepy', count: 0 },
    ],
  });
  expect(facetOptions(undefined, 'calm')).toEqual({
    chosen: ['calm'],
    options: [{ value: 'calm', label: 'calm', count: undefined }],
  });
  expect(facetOptions(facet, undefined, (value) => value.toUpperCase())).toMatchObject({
    chosen: [],
    options: [{ label: 'CALM' }, { label: 'HAPPY' }],
  });
});
