import { describe, expect, it } from 'vitest';
import type { JsonSchema } from './json-schema.ts';
import { writeStructure, writeType } from './write-type.ts';

it.each<[JsonSchema, string]>([
  [{ type: 'string' }, 'string'],
  [{ type: 'integer' }, 'number'],
  [{ type: 'number' }, 'number'],
  [{ type: 'boolean' }, 'boolean'],
  [{ type: 'null' }, 'null'],
  [{}, 'unknown'],
  [{ const: 'a' }, "'a'"],
  [{ type: 'string', enum: ['', "it's", 'b'] }, "'' | 'it\\'s' | 'b'"],
  [{ type: ['string', 'null'] }, 'string | null'],
  [{ anyOf: [{ type: 'string' }, { type: 'null' }] }, 'string | null'],
  [{ type: 'array', items: { type: 'string' } }, 'string[]'],
  [{ type: 'array', items: { enum: ['a', 'b'] } }, "('a' | 'b')[]"],
  [{ type: 'array', items: { title: 'Order', type: 'object', properties: {} } }, 'Order[]'],
  [{ type: 'object', additionalProperties: true }, 'Record<string, unknown>'],
  [{ type: 'object', additionalProperties: { type: 'integer' } }, 'Record<string, number>'],
  [{ title: 'Order', type: 'object', properties: {} }, 'Order'],
])('%j: %s', (schema, expected) => {
  expect(writeType(schema)).toBe(expected);
});

describe('an object', () => {
  it('may need one of several fields', () => {
    const schema: JsonSchema = {
      type: 'object',
      properties: { name: { type: 'string' }, label: { type: 'string' } },
      anyOf: [{ required: ['name'] }, { required: ['label'] }],
    };
    expect(writeStructure(schema)).toBe(`{
  name?: string;
  label?: string;
} & ({ name: string } | { label: string })`);
  });

  it('has documented fields, optional unless they are required', () => {
    const schema: JsonSchema = {
      type: 'object',
      required: ['id', 'note'],
      properties: {
        id: { type: 'string', description: 'Id of the order' },
        take: { type: 'integer', description: 'Items per page', minimum: 1, maximum: 1000, default: 10 },
        note: {
          anyOf: [{ type: 'string', description: 'Why', examples: ['Late'] }, { type: 'null' }],
        },
        'content-type': { type: 'string', minLength: 1, maxLength: 5 },
        lines: {
          type: 'array',
          items: { type: 'object', required: ['a'], properties: { a: { type: 'number' } } },
        },
      },
    };
    expect(writeStructure(schema)).toBe(`{
  /** Id of the order */
  id: string;
  /**
   * Items per page. From 1 to 1000.
   *
   * @defaultValue 10
   */
  take?: number;
  /**
   * Why
   *
   * @example 'Late'
   */
  note: string | null;
  /** From 1 to 5 characters. */
  'content-type'?: string;
  lines?: {
    a: number;
  }[];
}`);
  });

  it('may have a deprecated field, and any other besides', () => {
    const createdAt = { deprecated: true, description: 'When it was stored', examples: ['2026-11-15'] };
    const schema: JsonSchema = {
      type: ['object', 'null'],
      properties: { createdAt },
      additionalProperties: true,
    };
    expect(writeStructure(schema)).toBe(`{
  /**
   * When it was stored
   *
   * @deprecated
   * @example '2026-11-15'
   */
  createdAt?: unknown;
  [name: string]: unknown;
} | null`);
  });

  it('breaks a union that is too long for its line', () => {
    const values = Array.from({ length: 12 }, (_, at) => `A_LONG_VALUE_${at}`);
    const type = writeStructure({ type: 'object', properties: { sort: { enum: values } } });
    expect(type).toContain("  sort?:\n    | 'A_LONG_VALUE_0'\n    | 'A_LONG_VALUE_1'\n");
  });
});

it('fails for a schema that it cannot express', () => {
  expect(() => writeType({ type: 'date' })).toThrow('There is no TypeScript type');
});
