import { describe, expect, it } from 'vitest';
import { rowsOfAnswer, rowsOfField, rowsOfObject, type SchemaRow } from './schema-rows.ts';

const paths = (rows: readonly SchemaRow[]) => rows.map(({ parent, name }) => parent + name);

function rowOf(schema: object): SchemaRow {
  const [row] = rowsOfField({ name: 'field', schema, required: true }, {});
  if (!row) throw new Error('a field has a row');
  return row;
}

const facts = (schema: object) => rowOf(schema).facts.map(({ label, value }) => `${label} ${value}`.trim());

describe('rows of a schema', () => {
  it('puts the fields of nested objects and lists below them', () => {
    const planet = { type: 'object', required: ['number'], properties: { number: { type: 'integer' } } };
    const strain = {
      type: 'object',
      properties: { planet, codes: { type: 'array', items: { type: 'string' } } },
    };
    const rows = rowsOfObject(
      { type: 'object', properties: { strains: { type: 'array', items: strain } } },
      {},
    );
    expect(paths(rows)).toEqual([
      'strains[]',
      'strains[].planet',
      'strains[].planet.number',
      'strains[].codes[]',
    ]);
    expect(rows.map(({ type }) => type)).toEqual([
      'array of objects',
      'object',
      'integer',
      'array of strings',
    ]);
    expect(rows.map(({ required }) => required)).toEqual([false, false, true, false]);
  });

  it('says that a value may be null, however the schema says it', () => {
    const uri = { type: 'string', format: 'uri', description: 'Where' };
    expect(rowOf({ anyOf: [uri, { type: 'null' }] })).toMatchObject({
      type: 'string, URI or null',
      description: 'Where',
    });
    expect(rowOf({ type: ['integer', 'null'] }).type).toBe('integer or null');
    expect(rowOf({ enum: ['A', null] })).toMatchObject({ type: 'string or null', allowed: ['A'] });
    expect(rowOf({ type: 'array', items: { anyOf: [{ type: 'string' }, { type: 'null' }] } }).type).toBe(
      'array of (strings or null)',
    );
  });

  it('goes into an object that may be null', () => {
    const client = { type: 'object', properties: { id: { type: 'string' } } };
    const rows = rowsOfField(
      { name: 'client', required: true, schema: { anyOf: [client, { type: 'null' }] } },
      {},
    );
    expect(paths(rows)).toEqual(['client', 'client.id']);
    expect(rows[0]?.type).toBe('object or null');
  });

  it('lists allowed values, of enumerations, constants and the items of lists', () => {
    expect(rowOf({ enum: ['INDICA', 'SATIVA'] })).toMatchObject({
      type: 'string',
      allowed: ['INDICA', 'SATIVA'],
    });
    expect(rowOf({ anyOf: [{ const: 1 }, { const: 2 }] })).toMatchObject({
      type: 'integer',
      allowed: ['1', '2'],
    });
    expect(rowOf({ type: 'array', items: { enum: ['', 'A'] } }).allowed).toEqual(['""', 'A']);
  });

  it('says the limits and the default', () => {
    expect(facts({ type: 'integer', minimum: 1, maximum: 1000, default: 10 })).toEqual([
      '1 … 1000',
      'default 10',
    ]);
    expect(facts({ type: 'integer', minimum: 0 })).toEqual(['at least 0']);
    expect(facts({ type: 'string', maxLength: 100 })).toEqual(['at most 100 characters']);
    expect(facts({ type: 'string', minLength: 3, maxLength: 3 })).toEqual(['3 characters']);
    expect(facts({ type: 'array', minItems: 1, uniqueItems: true, items: { maximum: 5 } })).toEqual([
      'at least 1 item',
      'no item twice',
      'at most 5',
    ]);
    expect(facts({ type: 'string', pattern: '^[A-Z]{3}$' })).toEqual(['pattern ^[A-Z]{3}$']);
    expect(facts({ type: 'boolean', default: false })).toEqual(['default false']);
  });

  it('keeps an example that is a plain value', () => {
    expect(rowOf({ type: 'string', examples: ['PRT'] }).example).toBe('PRT');
    expect(rowOf({ type: 'array', examples: [['PRT']] }).example).toBeNull();
  });

  it('merges parts and names the fields of any name', () => {
    const part = { type: 'object', required: ['a'], properties: { a: { type: 'string' } } };
    const whole = { allOf: [part, { type: 'object', additionalProperties: { type: 'number' } }] };
    const rows = rowsOfObject(whole, {});
    expect(paths(rows)).toEqual(['a', '*']);
    expect(rows[0]?.required).toBe(true);
  });

  it('follows references, also those that go in circles', () => {
    const node = { type: 'object', properties: { next: { $ref: '#/components/schemas/Node' } } };
    const root = { components: { schemas: { Node: node, Loop: { $ref: '#/components/schemas/Loop' } } } };
    const rows = rowsOfObject({ $ref: '#/components/schemas/Node' }, root);
    expect(paths(rows).slice(0, 2)).toEqual(['next', 'next.next']);
    expect(rows.length).toBeLessThan(20);
    expect(rowsOfObject({ $ref: '#/components/schemas/Loop' }, root)).toEqual([]);
  });
});

describe('rows of an answer', () => {
  it('has no row for the object itself', () => {
    expect(paths(rowsOfAnswer({ type: 'object', properties: { id: { type: 'string' } } }, {}))).toEqual([
      'id',
    ]);
  });

  it('has a row for data that is anything else', () => {
    const list = { type: 'array', items: { type: 'object', properties: { id: { type: 'string' } } } };
    expect(paths(rowsOfAnswer(list, {}))).toEqual(['data[]', 'data[].id']);
    expect(rowsOfAnswer({ const: 'Success' }, {})).toMatchObject([{ name: 'data', allowed: ['Success'] }]);
    expect(rowsOfAnswer({ type: 'null' }, {})).toMatchObject([{ name: 'data', type: 'null' }]);
  });
});
