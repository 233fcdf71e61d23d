import { rewriteSchema } from '@keyfront/validation';

/**
 * Rewrites each "this or null" of a response schema as `nullable`, which the serializer knows. It validates every value of
 * an `anyOf` instead, by a validator that takes most of the time of the first response to compile.
 */
export function toSerializerSchema<Schema>(schema: Schema): Schema {
  return rewriteSchema(schema, (part) => {
    const { anyOf, ...rest } = part;
    return isNullOr(anyOf) ? { ...anyOf[0], ...rest, nullable: true } : part;
  });
}

function isNullOr(choices: unknown): choices is [object, { type: 'null' }] {
  return Array.isArray(choices) && choices.length === 2 && choices[1].type === 'null';
}
