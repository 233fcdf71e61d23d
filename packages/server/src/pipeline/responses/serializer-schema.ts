/**
 * Rewrites each "this or null" of a response schema as `nullable`, which the serializer knows. It validates every value of
 * an `anyOf` instead, by a validator that takes most of the time of the first response to compile.
 */
export function toSerializerSchema<Schema>(schema: Schema): Schema {
  return rewrite(schema) as Schema;
}

function rewrite(part: unknown): unknown {
  if (Array.isArray(part)) return part.map(rewrite);
  if (part === null || typeof part !== 'object') return part;
  const rewritten = Object.fromEntries(Object.entries(part).map(([name, value]) => [name, rewrite(value)]));
  const { anyOf, ...rest } = rewritten;
  if (!isNullOr(anyOf)) return rewritten;
  return { ...anyOf[0], ...rest, nullable: true };
}

function isNullOr(choices: unknown): choices is [object, { type: 'null' }] {
  return Array.isArray(choices) && choices.length === 2 && choices[1].type === 'null';
}
