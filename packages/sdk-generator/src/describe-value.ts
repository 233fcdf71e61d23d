import { type JsonSchema, withoutNull } from './json-schema.ts';
import { endSentence } from './write-comment.ts';
import { writeLiteral } from './write-literal.ts';

/** The paragraphs of the comment on a property: description, limits, default, deprecation and example. */
export function describeValue(schema: JsonSchema): string[] {
  const {
    description = '',
    deprecated,
    default: defaultValue,
    examples = [],
    ...limits
  } = withoutNull(schema);
  const limit = describeLimits(limits);
  return [
    limit ? `${endSentence(description)} ${limit}`.trim() : description,
    defaultValue === undefined ? '' : `@defaultValue ${writeLiteral(defaultValue)}`,
    deprecated ? '@deprecated' : '',
    examples.length === 0 ? '' : `@example ${writeLiteral(examples[0])}`,
  ];
}

// Larger limits are those of the type, such as the largest safe integer.
const largestNotedNumber = 1_000_000_000;

function describeLimits(schema: JsonSchema): string {
  const { minimum, maximum = Number.POSITIVE_INFINITY, minLength, maxLength, minItems, maxItems } = schema;
  if (schema.minProperties === 1) return 'At least one field is required.';
  return (
    describeRange(minimum, maximum > largestNotedNumber ? undefined : maximum, '') ||
    describeRange(minLength || undefined, maxLength, ' characters') ||
    describeRange(minItems, maxItems, ' items')
  );
}

function describeRange(from: number | undefined, to: number | undefined, unit: string): string {
  if (from !== undefined && to !== undefined) return `From ${from} to ${to}${unit}.`;
  if (to !== undefined) return `At most ${to}${unit}.`;
  return from === undefined || from <= 1 ? '' : `At least ${from}${unit}.`;
}
