import { type Operation, takesIdempotencyKey } from '@keyfront/protocol';
import { type JsonSchema, mapFields, objectSchema } from './json-schema.ts';

/** Where each argument of a tool goes in the request of its operation. */
export interface InputParts {
  readonly parameters: readonly string[];
  readonly query: readonly string[];
  readonly body: readonly string[];
  /** Those of the query that look into personal data. */
  readonly personalFilters: readonly string[];
  /** What every request has in its query. The agent cannot choose it. */
  readonly fixedQuery: Readonly<Record<string, string>>;
}

export const idempotencyKeyName = 'idempotencyKey';

const idempotencyKey: JsonSchema = {
  type: 'string',
  description:
    'A name for this change, at most 255 characters. Repeat the call with the same name if its result is unknown: it is executed once',
};

/** The arguments of a tool in one object: path, query and body of its operation, without other names of the same fields. */
export function describeInput(operation: Operation): {
  readonly schema: JsonSchema & { readonly type: 'object' };
  readonly parts: InputParts;
} {
  const path = readPart(operation.parameters);
  const body = readPart(operation.body);
  const queryPart = readPart(operation.query);
  // What may stand in the query or in the body stands in the body.
  const query = { ...queryPart, properties: without(queryPart.properties, Object.keys(body.properties)) };
  const fixed = mapFields(operation.query?.properties, (schema) => schema['x-agents-send'] ?? null);
  const properties = { ...path.properties, ...query.properties, ...body.properties };
  return {
    schema: objectSchema(
      takesIdempotencyKey(operation) ? { ...properties, [idempotencyKeyName]: idempotencyKey } : properties,
      [...path.required, ...query.required, ...body.required],
    ),
    parts: {
      parameters: Object.keys(path.properties),
      query: Object.keys(query.properties),
      body: Object.keys(body.properties),
      personalFilters: Object.keys(
        mapFields(operation.query?.properties, (field) => field['x-personal-data'] ?? null),
      ),
      fixedQuery: fixed,
    },
  };
}

interface Part {
  readonly properties: Readonly<Record<string, JsonSchema>>;
  readonly required: readonly string[];
}

function readPart(schema: JsonSchema = {}): Part {
  const properties = mapFields(schema.properties, (field) => (isChoice(field) ? describeField(field) : null));
  // A field that has another name is required in one of its names. The agent knows only one of them.
  const alternatives = (schema.anyOf ?? []).flatMap(({ required = [] }) => required);
  const required = [...(schema.required ?? []), ...alternatives].filter((name) => name in properties);
  return { properties, required: [...new Set(required)] };
}

function isChoice(field: JsonSchema): boolean {
  return field['x-alias-of'] === undefined && field['x-agents-send'] === undefined && !field.deprecated;
}

/** A field as an agent reads it: without examples, titles and marks, which are for other readers. */
function describeField(field: JsonSchema): JsonSchema {
  if (field.properties || field.anyOf) {
    const { properties, required } = readPart(field);
    const { required: _some, anyOf, ...rest } = plainFields(field);
    const others = anyOf?.every((each) => each.required) ? {} : anyOf && { anyOf: anyOf.map(describeField) };
    return {
      ...rest,
      ...others,
      ...(field.properties && { properties }),
      ...(required.length > 0 && { required }),
    };
  }
  const plain = plainFields(field);
  return plain.items ? { ...plain, items: describeField(plain.items) } : plain;
}

/** A schema without what only other readers need. */
function plainFields(schema: JsonSchema): JsonSchema {
  const kept = Object.entries(schema).filter(
    ([name]) => !name.startsWith('x-') && name !== 'examples' && name !== 'title',
  );
  return Object.fromEntries(kept);
}

/** Fields but for those with these names. */
export function without<Value>(fields: Readonly<Record<string, Value>>, names: readonly string[]) {
  return Object.fromEntries(Object.entries(fields).filter(([name]) => !names.includes(name)));
}
