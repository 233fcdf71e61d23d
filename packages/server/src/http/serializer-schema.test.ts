import { SerializerSelector } from '@fastify/fast-json-stringify-compiler';
import { operationList, SuccessEnvelope, success } from '@keyfront/protocol';
import { describe, expect, it } from 'vitest';
import { toSerializerSchema } from './serializer-schema.ts';

interface JsonSchema {
  readonly type?: string;
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly items?: JsonSchema;
  readonly anyOf?: readonly JsonSchema[];
}

const compile = SerializerSelector()({}, {});
/** The serializer that Fastify makes of a schema. */
const compileSerializer = (schema: object) =>
  compile({ schema: toSerializerSchema(schema), method: 'GET', url: '/', httpStatus: '200' });

const responses = operationList.map((operation) => [operation.id, operation] as const);

describe('the schema for the serializer', () => {
  it.each(responses)('writes the example response of %s', (_id, { status, response, example }) => {
    const serialize = compileSerializer(SuccessEnvelope(status, response));
    const envelope = { ...success(status, example.response) };
    expect(JSON.parse(serialize(envelope))).toEqual(JSON.parse(JSON.stringify(envelope)));
  });

  it.each(responses)('leaves no choice in the response of %s that must be validated', (_id, { response }) => {
    expect(JSON.stringify(toSerializerSchema(response))).not.toContain('"anyOf"');
  });

  const nullables = operationList.flatMap(({ id, response }) =>
    findNullables(response as JsonSchema, id).map(([path, schema]) => [path, schema] as const),
  );
  it.each(nullables)('writes null for %s', (_path, schema) => {
    const serialize = compileSerializer({ type: 'object', properties: { field: schema } });
    expect(serialize({ field: null })).toBe('{"field":null}');
    expect(serialize({})).toBe('{}');
  });
});

/** All parts of a schema that may be null, by their paths. */
function findNullables(schema: JsonSchema, path: string): [string, JsonSchema][] {
  const { properties = {}, items, anyOf = [] } = schema;
  return [
    ...(anyOf.some(({ type }) => type === 'null') ? [[path, schema] as [string, JsonSchema]] : []),
    ...Object.entries(properties).flatMap(([name, inner]) => findNullables(inner, `${path}.${name}`)),
    ...(items ? findNullables(items, `${path}.0`) : []),
    ...anyOf.flatMap((inner) => findNullables(inner, path)),
  ];
}
