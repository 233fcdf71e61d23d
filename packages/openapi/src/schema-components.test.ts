import { Type } from 'typebox';
import { expect, it } from 'vitest';
import { SchemaComponents } from './schema-components.ts';

it('names schemas by their title, and keeps a property that is called title', () => {
  const schemas = new SchemaComponents();
  const Person = Type.Object({ title: Type.String(), name: Type.String() }, { title: 'Person' });
  expect(schemas.reference(Type.Array(Person))).toEqual({
    type: 'array',
    items: { $ref: '#/components/schemas/Person' },
  });
  expect(schemas.list()).toEqual({
    Person: {
      type: 'object',
      required: ['title', 'name'],
      properties: { title: { type: 'string' }, name: { type: 'string' } },
    },
  });
});

it('refuses two schemas with one title', () => {
  const schemas = new SchemaComponents();
  schemas.reference(Type.String({ title: 'Name' }));
  expect(() => schemas.reference(Type.Number({ title: 'Name' }))).toThrow('Two schemas have the title Name');
});
