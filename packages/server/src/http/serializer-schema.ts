import { rewriteSchema } from '@keyfront/validation';

/**
 * Rewrites each "this or null" of a response schema as `nullable`, which the serializer knows. It validates every value of
 * an `anyOf` instead, by a validator that takes most of the time of the first response to compile. Leaves out the marks of
 * the protocol, which that validator does not know.
 */
export function toSerializerSchema<Schema>(schema: Schema): Schema {
  return rewriteSchema(schema, (part) => {
    const plain = withoutMarks(part);
    const { anyOf, ...rest } = plain;
    return isNullOr(anyOf) ? { ...anyOf[0], ...rest, nullable: true } : plain;
  });
}

function withoutMarks<Part extends object>(part: Part): Part {
  const kept = Object.entries(part).filter(([name]) => !name.startsWith('x-'));
  return Object.fromEntries(kept) as Part;
}

function isNullOr(choices: unknown): choices is [object, { type: 'null' }] {
  return Array.isArray(choices) && choices.length === 2 && choices[1].type === 'null';
}
