import type { TSchema } from 'typebox';

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
  return rewrite(schema) as TSchema;
}

function rewrite(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(rewrite);
  if (typeof value !== 'object' || value === null) return value;
  // Typebox keeps the kind of a schema in properties that are not enumerable.
  const schema = Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, rewrite(inner)]));
  return Object.entries(boundedBy).reduce(
    (result, [limit, keywords]) => moveBehind(result, limit, keywords),
    schema,
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
