import { describe, expect, it } from 'vitest';
import { type Field, readField, readFields, readPayload } from './schema-fields.ts';

/** `name: type` of each field, with the fields inside it indented. */
function outline(fields: readonly Field[], indent = ''): string[] {
  return fields.flatMap(({ name, type, groups }) => [
    `${indent}${name}: ${type}`,
    ...groups.flatMap((group) => outline(group.fields, `${indent}  `)),
  ]);
}

const fieldOf = (schema: unknown, root: unknown = {}) =>
  readField({ name: 'field', schema, isRequired: true }, root);
const facts = (schema: object) => fieldOf(schema).facts.map(({ label, value }) => `${label} ${value}`.trim());

describe('reading fields', () => {
  it('nests the fields of objects, and of the objects in arrays', () => {
    const planet = { type: 'object', required: ['number'], properties: { number: { type: 'integer' } } };
    const strain = {
      type: 'object',
      properties: { planet, codes: { type: 'array', items: { type: 'string' } } },
    };
    const schema = { type: 'object', properties: { strains: { type: 'array', items: strain } } };
    expect(outline(readFields(schema, {}))).toEqual([
      'strains: array of objects',
      '  planet: object',
      '    number: integer',
      '  codes: array of strings',
    ]);
    const [strains] = readFields(schema, {});
    const [field] = strains?.groups[0]?.fields[0]?.groups[0]?.fields ?? [];
    expect([strains?.isRequired, field?.isRequired]).toEqual([false, true]);
  });

  it('says that a value may be null, in each way to write it', () => {
    const uri = { type: 'string', format: 'uri', description: 'Where' };
    expect(fieldOf({ anyOf: [uri, { type: 'null' }] })).toMatchObject({
      type: 'string, URI or null',
      description: 'Where',
    });
    expect(fieldOf({ oneOf: [{ type: 'null' }, uri] }).type).toBe('string, URI or null');
    expect(fieldOf({ type: ['integer', 'null'] }).type).toBe('integer or null');
    expect(fieldOf({ enum: ['A', null] })).toMatchObject({ type: 'string or null', allowed: ['A'] });
    expect(fieldOf({ type: ['string', 'null'], enum: ['A', null] })).toMatchObject({
      type: 'string or null',
      allowed: ['A'],
    });
    expect(fieldOf({ type: 'array', items: { anyOf: [{ type: 'string' }, { type: 'null' }] } }).type).toBe(
      'array of (strings or null)',
    );
  });

  it('names the schemas that references point to', () => {
    const root = {
      components: {
        schemas: {
          Order: {
            type: 'object',
            description: 'An order',
            properties: { client: { $ref: '#/components/schemas/Client' } },
          },
          Client: { type: 'object', properties: { id: { type: 'string' } } },
        },
      },
    };
    const order = { $ref: '#/components/schemas/Order' };
    const schema = {
      type: 'object',
      properties: {
        newest: { anyOf: [order, { type: 'null' }], description: 'The newest order' },
        all: { type: 'array', items: order },
        first: { ...order, description: 'What stands beside a reference wins' },
      },
    };
    expect(outline(readFields(schema, root))).toEqual([
      'newest: Order object or null',
      '  client: Client object',
      '    id: string',
      'all: array of Order objects',
      '  client: Client object',
      '    id: string',
      'first: Order object',
      '  client: Client object',
      '    id: string',
    ]);
    expect(readFields(schema, root).map(({ description }) => description)).toEqual([
      'The newest order',
      '',
      'What stands beside a reference wins',
    ]);
  });

  it('groups the fields of a value that may be one of several objects', () => {
    const root = {
      components: {
        schemas: {
          Card: { type: 'object', properties: { number: { type: 'string' } } },
          Cash: { type: 'object', properties: { currency: { type: 'string' } } },
        },
      },
    };
    const { type, groups } = fieldOf(
      { oneOf: [{ $ref: '#/components/schemas/Card' }, { $ref: '#/components/schemas/Cash' }] },
      root,
    );
    expect(type).toBe('Card object or Cash object');
    expect(groups.map(({ name, fields }) => [name, outline(fields)])).toEqual([
      ['Card', ['number: string']],
      ['Cash', ['currency: string']],
    ]);
  });

  it('lists allowed values of enumerations, constants and the items of arrays', () => {
    expect(fieldOf({ enum: ['INDICA', 'SATIVA'] })).toMatchObject({
      type: 'string',
      allowed: ['INDICA', 'SATIVA'],
    });
    expect(fieldOf({ anyOf: [{ const: 1 }, { const: 2 }] })).toMatchObject({
      type: 'integer',
      allowed: ['1', '2'],
    });
    expect(fieldOf({ type: 'array', items: { enum: ['', 'A'] } }).allowed).toEqual(['""', 'A']);
  });

  it('states limits and defaults', () => {
    expect(facts({ type: 'integer', minimum: 1, maximum: 1000, default: 10 })).toEqual([
      '1 to 1000',
      'default 10',
    ]);
    expect(facts({ type: 'integer', minimum: 0 })).toEqual(['at least 0']);
    expect(facts({ type: 'integer', minimum: 1, maximum: 2 ** 31 - 1 })).toEqual(['at least 1']);
    expect(facts({ type: 'string', maxLength: 100 })).toEqual(['at most 100 characters']);
    expect(facts({ type: 'string', minLength: 3, maxLength: 3 })).toEqual(['3 characters']);
    expect(facts({ type: 'array', minItems: 1, uniqueItems: true, items: { maximum: 5 } })).toEqual([
      'at least 1 item',
      'no duplicates',
      'at most 5',
    ]);
    expect(facts({ type: 'string', pattern: '^[A-Z]{3}$' })).toEqual(['pattern ^[A-Z]{3}$']);
    expect(facts({ type: 'boolean', default: false })).toEqual(['default false']);
  });

  it('states which of several properties must be present', () => {
    const schema = {
      type: 'object',
      properties: { stage: { type: 'string' }, note: { type: 'string' } },
      anyOf: [{ required: ['stage'] }, { required: ['note'] }],
    };
    expect(facts(schema)).toEqual(['at least one of stage, note']);
    expect(outline(readFields(schema, {}))).toEqual(['stage: string', 'note: string']);
    expect(facts({ type: 'object', minProperties: 1 })).toEqual(['at least 1 field']);
  });

  it('marks what is deprecated', () => {
    expect(fieldOf({ type: 'string', deprecated: true }).isDeprecated).toBe(true);
    expect(fieldOf({ type: 'string' }).isDeprecated).toBe(false);
  });

  it('takes an example that is a plain value', () => {
    expect(fieldOf({ type: 'string', examples: ['PRT'] }).example).toBe('PRT');
    expect(fieldOf({ type: 'array', examples: [['PRT']] }).example).toBeNull();
  });

  it('merges the parts of allOf and includes properties of any name', () => {
    const part = { type: 'object', required: ['a'], properties: { a: { type: 'string' } } };
    const whole = { allOf: [part, { type: 'object', additionalProperties: { type: 'number' } }] };
    const fields = readFields(whole, {});
    expect(outline(fields)).toEqual(['a: string', '*: number']);
    expect(fields[0]?.isRequired).toBe(true);
  });

  it('ends at references that form a cycle or lead nowhere', () => {
    const node = { type: 'object', properties: { next: { $ref: '#/components/schemas/Node' } } };
    const root = { components: { schemas: { Node: node, Loop: { $ref: '#/components/schemas/Loop' } } } };
    expect(outline([fieldOf({ $ref: '#/components/schemas/Node' }, root)])).toEqual([
      'field: Node object',
      '  next: Node object',
    ]);
    expect(readFields({ $ref: '#/components/schemas/Loop' }, root)).toEqual([]);
    expect(fieldOf({ $ref: '#/components/schemas/Missing' }, root).type).toBe('any value');
    expect(fieldOf({ $ref: 'https://example.com/schema.json' }, root).type).toBe('any value');
  });

  it('ends at a schema without a name that contains itself', () => {
    const schema: { type: string; properties: Record<string, unknown> } = { type: 'object', properties: {} };
    schema.properties.self = schema;
    expect(outline(readFields(schema, {})).length).toBeLessThan(20);
  });
});

describe('reading the payload of a response', () => {
  it('reads the fields of an object', () => {
    const schema = { type: 'object', properties: { id: { type: 'string' } } };
    expect(outline(readPayload('data', schema, {}))).toEqual(['id: string']);
  });

  it('reads one field where it is anything else', () => {
    const list = { type: 'array', items: { type: 'object', properties: { id: { type: 'string' } } } };
    expect(outline(readPayload('data', list, {}))).toEqual(['data: array of objects', '  id: string']);
    expect(readPayload('data', { const: 'Success' }, {})).toMatchObject([
      { name: 'data', allowed: ['Success'] },
    ]);
    expect(readPayload('data', { type: 'null' }, {})).toMatchObject([{ name: 'data', type: 'null' }]);
  });
});
