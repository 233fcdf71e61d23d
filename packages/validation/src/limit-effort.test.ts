import { operationList } from '@keyfront/protocol';
import { Type } from 'typebox';
import { describe, expect, it } from 'vitest';
import { limitEffort } from './limit-effort.ts';

/** Every schema below a value with its path, the value included. */
function* walk(value: unknown, path = ''): Generator<[string, Record<string, unknown>]> {
  if (typeof value !== 'object' || value === null) return;
  yield [path, value as Record<string, unknown>];
  for (const [name, inner] of Object.entries(value)) yield* walk(inner, `${path}/${name}`);
}

describe('limitEffort', () => {
  it('puts the elements of a list and the form of a text behind their limits', () => {
    const schema = limitEffort(
      Type.Object({
        names: Type.Array(Type.String({ maxLength: 5, pattern: '^a' }), { maxItems: 3, minItems: 1 }),
      }),
    );
    expect(JSON.parse(JSON.stringify(schema)).properties.names).toEqual({
      type: 'array',
      minItems: 1,
      if: { maxItems: 3 },
      // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema.
      then: {
        items: {
          type: 'string',
          if: { maxLength: 5 },
          // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema.
          then: { pattern: '^a' },
          else: { maxLength: 5 },
        },
      },
      else: { maxItems: 3 },
    });
  });

  it('leaves properties with the names of keywords alone', () => {
    const schema = Type.Object({ maxItems: Type.Integer(), items: Type.Array(Type.Integer()) });
    expect(JSON.stringify(limitEffort(schema))).toBe(JSON.stringify(schema));
  });

  it('finds a limit for every list that a caller can send', () => {
    const unlimited = operationList.flatMap(({ id, parameters, query, body }) =>
      [...walk({ parameters, query, body })]
        .filter(([, schema]) => schema.type === 'array' && typeof schema.maxItems !== 'number')
        .map(([path]) => `${id}${path}`),
    );
    expect(unlimited).toEqual([]);
  });
});
