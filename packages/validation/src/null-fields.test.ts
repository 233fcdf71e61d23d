import { Type } from 'typebox';
import { expect, it } from 'vitest';
import { compileNullFields } from './null-fields.ts';

const Address = Type.Object({ street: Type.String(), city: Type.Optional(Type.String()) });
const clean = compileNullFields(
  Type.Object({
    name: Type.String(),
    note: Type.Optional(Type.String()),
    address: Type.Optional(Address),
    image: Type.Optional(Type.Unsafe({ type: ['string', 'null'] })),
    billing: Type.Optional(Type.Union([Type.String(), Type.Null()])),
    items: Type.Optional(Type.Array(Address)),
    record: Type.Optional(Type.Unsafe({ type: ['object', 'null'], additionalProperties: true })),
  }),
);

it.each<[unknown, unknown]>([
  [{}, {}],
  [{ name: 'Ada', note: null }, { name: 'Ada' }],
  [
    { address: { street: 'x', city: null }, items: [{ city: null }, { city: 'y' }] },
    { address: { street: 'x' }, items: [{}, { city: 'y' }] },
  ],
  [{ address: null, items: null }, {}],
  // Required, or null means something.
  [
    { name: null, image: null, billing: null, record: null },
    { name: null, image: null, billing: null, record: null },
  ],
  [{ address: { street: null } }, { address: { street: null } }],
  // What is inside is the business of the storefront.
  [{ record: { note: null, name: [null] } }, { record: { note: null, name: [null] } }],
  // Unknown fields and wrong types are reported by the validation.
  [{ colour: null }, { colour: null }],
  [
    { items: [null, 'x'], address: 'x' },
    { items: [null, 'x'], address: 'x' },
  ],
  [null, null],
  ['text', 'text'],
  [[{ note: null }], [{ note: null }]],
])('%j: %j', (body, expected) => {
  expect(clean(body)).toEqual(expected);
});

it('leaves the body itself as it was', () => {
  const body = Object.freeze({ note: null, address: Object.freeze({ city: null }) });
  expect(clean(body)).toEqual({ address: {} });
  expect(body).toEqual({ note: null, address: { city: null } });
});

it('does not look into a list that is too long', () => {
  const clean = compileNullFields(
    Type.Object({
      items: Type.Array(Type.Object({ note: Type.Optional(Type.String()) }), { maxItems: 2 }),
    }),
  );
  expect(clean({ items: [{ note: null }, {}] })).toEqual({ items: [{}, {}] });
  const untouched = new Proxy({}, { ownKeys: () => expect.fail('was looked into') });
  expect(() => clean({ items: [untouched, untouched] })).toThrow('was looked into');
  expect(() => clean({ items: [untouched, untouched, untouched] })).not.toThrow();
});
