import { planetOperations, strainOperations } from '@keyfront/protocol';
import { Type } from 'typebox';
import { expect, it } from 'vitest';
import { compileUrlPublisher } from './url-publisher.ts';

const publish = (url: string) => (url.startsWith('/') ? `https://shop.example${url}` : url);
const url = Type.String({ format: 'uri' });

it('converts URLs wherever they are, and leaves other texts and the given value as they are', () => {
  const schema = Type.Object({
    name: Type.String(),
    first: Type.Union([url, Type.Null()]),
    list: Type.Array(Type.Object({ inner: Type.Optional(url), note: Type.String() })),
  });
  const publishUrls = compileUrlPublisher(schema, publish);
  const value = {
    name: '/name',
    first: '/a',
    list: [{ inner: '/b', note: '/note' }, { note: '' }, { inner: 'https://elsewhere.example/c', note: '' }],
  };
  const before = structuredClone(value);
  expect(publishUrls?.(value)).toEqual({
    name: '/name',
    first: 'https://shop.example/a',
    list: [
      { inner: 'https://shop.example/b', note: '/note' },
      { note: '' },
      { inner: 'https://elsewhere.example/c', note: '' },
    ],
  });
  expect(value).toEqual(before);
  expect(publishUrls?.({ ...value, first: null, list: [] })).toEqual({
    name: '/name',
    first: null,
    list: [],
  });
});

it('has nothing to do for a schema without URLs', () => {
  expect(compileUrlPublisher(Type.Object({ name: Type.String() }), publish)).toBeNull();
});

it('finds the images of the catalogue', () => {
  for (const { response } of [planetOperations.listPlanets, strainOperations.listStrains]) {
    expect(compileUrlPublisher(response, publish)).not.toBeNull();
  }
});
