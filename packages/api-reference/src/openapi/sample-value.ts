import { entriesAt, isJsonObject, listAt, textAt } from './json-value.ts';
import { readShape, typeOf } from './schema-shape.ts';

const samplesByFormat: Readonly<Record<string, string>> = {
  uuid: '019a8f3e-7c00-7000-8000-000000000001',
  date: '2026-11-15',
  'date-time': '2026-11-15T09:30:00.000Z',
  email: 'ada@example.com',
  uri: 'https://example.com/picture.png',
};

/** The value that a schema itself proposes: an example, its default or the first of its allowed values. */
export function proposedValue(schema: unknown, root: unknown): unknown {
  const { variants, allowed } = readShape(schema, root);
  const sources = [schema, ...variants.map((variant) => variant.schema)].filter(isJsonObject);
  return [
    ...sources.flatMap((source) => listAt(source, 'examples')),
    ...sources.flatMap((source) => [source.example, source.default]),
    ...allowed,
  ].find((value) => value !== undefined);
}

// A schema that contains itself would have a sample without end.
const deepestSample = 6;

/** A value to show as an example: the one that the schema proposes, or one made from its type. */
export function sampleValue(schema: unknown, root: unknown, depth = 0): unknown {
  const proposed = proposedValue(schema, root);
  if (proposed !== undefined) return proposed;
  const [variant] = readShape(schema, root).variants;
  if (!variant || depth > deepestSample) return null;
  switch (typeOf(variant)) {
    case 'object':
      return sampleObject(variant.schema, root, depth);
    case 'array':
      return [sampleValue(variant.schema.items, root, depth + 1)];
    case 'integer':
    case 'number':
      return typeof variant.schema.minimum === 'number' ? variant.schema.minimum : 1;
    case 'boolean':
      return true;
    case 'string':
      return samplesByFormat[textAt(variant.schema, 'format')] ?? '…';
    default:
      return null;
  }
}

/** The required properties, or the first one where none is required: an empty object would show nothing. */
function sampleObject(schema: unknown, root: unknown, depth: number): Record<string, unknown> {
  const properties = entriesAt(schema, 'properties');
  const required = new Set(listAt(schema, 'required'));
  const chosen = properties.filter(([name]) => required.has(name));
  const shown = chosen.length > 0 ? chosen : properties.slice(0, 1);
  return Object.fromEntries(shown.map(([name, value]) => [name, sampleValue(value, root, depth + 1)]));
}
