import type { TObject } from 'typebox';

const integerText = /^-?\d{1,16}$/;

/**
 * The query as the schema means it: text that is an integer or a boolean becomes one where the schema asks for it.
 * Anything else stays text, for the validation to name. Only plain digits count: no `1e3`, no `0x10`, no blanks.
 */
export function readQueryValues(schema: TObject, query: Record<string, unknown>): Record<string, unknown> {
  const result: Record<string, unknown> = {};
  const required = new Set<string>(schema.required);
  for (const [name, property] of Object.entries(schema.properties)) {
    const given = query[name];
    if (given === undefined) continue;
    const type = 'type' in property ? property.type : undefined;
    // An empty text is no filter. One that must be there stays, for the operation to see that it is.
    if (given === '' && type === 'string' && !required.has(name)) continue;
    result[name] = readValue(type, given);
  }
  return result;
}

function readValue(type: unknown, given: unknown): unknown {
  if (typeof given !== 'string') return given;
  if (type === 'integer' && integerText.test(given)) return Number(given);
  if (type === 'boolean' && (given === 'true' || given === 'false')) return given === 'true';
  return given;
}
