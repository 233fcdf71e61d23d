import { maximumIssues } from '@keyfront/protocol';
import { Type } from 'typebox';
import { expect, it } from 'vitest';
import { compileUnknownFields } from './unknown-fields.ts';

const Address = Type.Object({ city: Type.String() });
const find = compileUnknownFields(
  Type.Object({
    name: Type.String(),
    shipping: Type.Optional(Address),
    billing: Type.Union([Address, Type.Null()]),
    items: Type.Array(Type.Object({ strainId: Type.String(), tags: Type.Array(Type.String()) })),
    record: Type.Record(Type.String(), Type.Unknown()),
  }),
);

it.each<[unknown, string[]]>([
  [{}, []],
  [{ name: 'Ada', shipping: { city: 'Porto' }, billing: null, items: [] }, []],
  [{ colour: 'red', size: 1 }, ['colour should not exist', 'size should not exist']],
  [
    { shipping: { planet: 1 }, billing: { city: '', moon: {} } },
    ['shipping.planet should not exist', 'billing.moon should not exist'],
  ],
  [{ items: [{ strainId: '' }, { sku: 1, tags: ['a', { b: 1 }] }] }, ['items.1.sku should not exist']],
  [{ record: { anything: { at: ['all'] } } }, []],
  [{ constructor: 1, toString: 2 }, ['constructor should not exist', 'toString should not exist']],
  // The schema reports a value of the wrong type.
  ['text', []],
  [null, []],
  [{ shipping: 'Porto', items: { sku: 1 } }, []],
])('%j: %j', (value, issues) => {
  expect(find(value)).toEqual(issues);
});

it('knows a field of the body that repeats a path parameter, with the same value only', () => {
  const parameters = { cartId: '7' };
  expect(find({ cartId: '7' }, parameters)).toEqual([]);
  expect(find({ cartId: '8' }, parameters)).toEqual(['cartId should not exist']);
  expect(find({ shipping: { cartId: '7' }, toString: undefined }, parameters)).toEqual([
    'shipping.cartId should not exist',
    'toString should not exist',
  ]);
});

it('stops after as many issues as a response reports', () => {
  const many = Object.fromEntries(Array.from({ length: 10_000 }, (_, at) => [`field${at}`, at]));
  expect(find(many)).toHaveLength(maximumIssues);
  expect(find({ items: Array.from({ length: 10_000 }, () => ({ sku: 1 })) })).toHaveLength(maximumIssues);
});

it('does not look into a list that is too long', () => {
  const short = compileUnknownFields(
    Type.Object({ items: Type.Array(Type.Object({ id: Type.String() }), { maxItems: 2 }) }),
  );
  expect(short({ items: [{ x: 1 }, { x: 1 }] })).toHaveLength(2);
  const untouched = new Proxy({}, { ownKeys: () => expect.fail('was looked into') });
  expect(short({ items: [untouched, untouched, untouched] })).toEqual([]);
});
