import type { TSchema } from 'typebox';
import { rewriteSchema } from './rewrite-schema.ts';

type Schema = Readonly<Record<string, unknown>>;

/** For each limit, the keywords whose effort it bounds. */
const boundedBy = {
  maxItems: ['items', 'uniqueItems'],
  maxLength: ['pattern', 'format'],
} as const;

/**
 * Rewrites a schema so that the elements of a list that is too long are not looked at, nor the form of a text that is too
 * long. Otherwise a validator that reports all violations would find hundreds of thousands of them in one body. The
 * limits move into a condition: `if` the value is short enough, `then` the rest applies.
 */
export function limitEffort(schema: TSchema): TSchema {
  return rewriteSchema(schema, (part) =>
    Object.entries(boundedBy).reduce(
      (result, [limit, keywords]) => moveBehind(result, limit, keywords),
      part,
    ),
  );
}

function moveBehind(schema: Schema, limit: string, keywords: readonly string[]): Schema {
  const moved = keywords.filter((keyword) => keyword in schema);
  // A property of an object may have the name of a keyword, but then its value is a schema and no number.
  if (typeof schema[limit] !== 'number' || moved.length === 0) return schema;
  const rest = Object.entries(schema).filter(([name]) => name !== limit && !moved.includes(name));
  const condition = { [limit]: schema[limit] };
  return {
    ...Object.fromEntries(rest),
    if: condition,
    // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema.
    then: Object.fromEntries(moved.map((keyword) => [keyword, schema[keyword]])),
    else: condition,
  };
}
