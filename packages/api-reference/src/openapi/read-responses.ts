import { entriesAt, isJsonObject, textAt, valueAt } from './json-value.ts';
import type { Example, Response } from './reference.ts';
import { resolveReference } from './resolve-reference.ts';
import { sampleValue } from './sample-value.ts';
import { type Field, readField, readPayload } from './schema-fields.ts';
import { readShape } from './schema-shape.ts';

/** Reads the responses of an operation, in the order of the document. */
export function readResponses(
  responses: unknown,
  root: unknown,
  payloadProperty: string | undefined,
): Response[] {
  return entriesAt(responses).map(([status, value]) => {
    const response = resolveReference(value, root);
    const isSuccess = status.startsWith('2');
    const contents = entriesAt(response, 'content');
    const chosen = contents.find(([type]) => isJsonType(type)) ?? contents[0];
    const media = chosen?.[1];
    return {
      status,
      isSuccess,
      description: textAt(response, 'description'),
      fields: isSuccess && chosen ? payloadFields(valueAt(media, 'schema'), root, payloadProperty) : [],
      otherContentTypes: contents.map(([type]) => type).filter((type) => type !== chosen?.[0]),
      headers: readHeaders(response, root),
      examples: readExamples(media, root, isSuccess),
    };
  });
}

export function isJsonType(contentType: string): boolean {
  return /^application\/(.+\+)?json\b/.test(contentType);
}

function payloadFields(schema: unknown, root: unknown, payloadProperty: string | undefined): Field[] {
  if (!isJsonObject(schema)) return [];
  if (payloadProperty !== undefined) {
    const payloads = readShape(schema, root)
      .variants.map((variant) => valueAt(variant.schema, 'properties', payloadProperty))
      .filter(isJsonObject);
    if (payloads.length > 0) {
      return payloads.flatMap((payload) => readPayload(payloadProperty, payload, root));
    }
  }
  return readPayload('body', schema, root);
}

function readHeaders(response: unknown, root: unknown): Field[] {
  return entriesAt(response, 'headers').flatMap(([name, value]) => {
    const header = resolveReference(value, root);
    // The specification says that a header of this name is ignored: `content` describes it.
    if (!header || name.toLowerCase() === 'content-type') return [];
    const field = readField({ name, schema: header.schema, isRequired: header.required === true }, root);
    return [{ ...field, description: textAt(header, 'description') || field.description }];
  });
}

/** The examples of the document. A success without any gets one made from its schema. */
function readExamples(media: unknown, root: unknown, isSuccess: boolean): Example[] {
  const single = valueAt(media, 'example');
  if (single !== undefined) return [{ name: '', summary: '', value: single }];
  const named = entriesAt(media, 'examples').flatMap(([name, value]) => {
    const example = resolveReference(value, root);
    if (!example || !Object.hasOwn(example, 'value')) return [];
    return [{ name, summary: textAt(example, 'summary'), value: example.value }];
  });
  if (named.length > 0) return named;
  const schema = valueAt(media, 'schema');
  if (!isSuccess || !isJsonObject(schema)) return [];
  return [{ name: '', summary: '', value: sampleValue(schema, root) }];
}
