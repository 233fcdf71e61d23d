import { type ParsedUrlQuery, parse } from 'node:querystring';
import { textPatterns } from '@keyfront/protocol';
import type { TObject } from 'typebox';

// More digits than any limit has, so that a number that is too large is reported as such; not so many that it is infinite.
const integerText = /^-?\d{1,300}$/;
const decimalText = /^-?\d{1,300}(\.\d{1,300})?$/;

/** Parses a query. A name that occurs several times has a list of values. */
export function parseQuery(query: string | null): ParsedUrlQuery {
  // The size of the query is limited, so the number of names need not be.
  return parse(query ?? '', '&', '=', { maxKeys: 0 });
}

/**
 * Converts query strings to the types of the schema: numbers and booleans where the schema has them. Anything else stays
 * a string, which validation then reports. Only plain digits are numbers: no `1e3`, no `0x10`, no spaces.
 */
export function readQueryValues(schema: TObject, query: Record<string, unknown>): Record<string, unknown> {
  const result: Record<string, unknown> = {};
  const required = new Set<string>(schema.required);
  for (const [name, property] of Object.entries(schema.properties)) {
    const given = query[name];
    if (given === undefined) continue;
    // An empty filter is no filter. A required parameter stays, and so does one that must not be empty.
    if (given === '' && !required.has(name) && mayBeEmpty(property)) continue;
    result[name] = readValue(property, given);
  }
  return result;
}

const { tokenId, eventId, ethereumAddress } = textPatterns;
const idPatterns: ReadonlySet<unknown> = new Set([tokenId.pattern, eventId.pattern, ethereumAddress.pattern]);

/** An id may not: a storefront whose variable is undefined would show one customer what belongs to all. */
function mayBeEmpty(property: {
  type?: unknown;
  minLength?: unknown;
  format?: unknown;
  pattern?: unknown;
}): boolean {
  const { type, minLength, format, pattern } = property;
  return type === 'string' && minLength === undefined && format !== 'uuid' && !idPatterns.has(pattern);
}

function readValue(property: object, given: unknown): unknown {
  if (typeof given !== 'string' || !('type' in property)) return given;
  if (property.type === 'integer' && integerText.test(given)) return Number(given);
  if (property.type === 'number' && decimalText.test(given)) return Number(given);
  if (property.type === 'boolean' && (given === 'true' || given === 'false')) return given === 'true';
  return given;
}
