import { isFields, listAt, readShape, textAt, typeOf } from './json-schema.ts';

const samplesByFormat: Readonly<Record<string, string>> = {
  uuid: '019a8f3e-7c00-7000-8000-000000000001',
  date: '2026-11-15',
  'date-time': '2026-11-15T09:30:00.000Z',
  email: 'ada@example.com',
  uri: 'https://example.com/picture.png',
};

/** What the schema itself proposes as a value: an example, its default, the first of its allowed values. */
export function proposedValue(schema: unknown, root: unknown): unknown {
  const { variants, allowed } = readShape(schema, root);
  const sources = [schema, ...variants];
  return [
    ...sources.flatMap((source) => listAt(source, 'examples')),
    ...sources.filter(isFields).map((source) => source.default),
    ...allowed,
  ].find((value) => value !== undefined);
}

/** A value to show in an example: as the schema proposes, or made from its type. */
export function sampleValue(schema: unknown, root: unknown, depth = 0): unknown {
  const proposed = proposedValue(schema, root);
  if (proposed !== undefined) return proposed;
  const [variant] = readShape(schema, root).variants;
  // A schema that contains itself ends somewhere.
  if (!variant || depth > 6) return null;
  switch (typeOf(variant)) {
    case 'object':
      return sampleObject(schema, root, depth);
    case 'array':
      return [sampleValue(variant.items, root, depth + 1)];
    case 'integer':
    case 'number':
      return typeof variant.minimum === 'number' ? variant.minimum : 1;
    case 'boolean':
      return true;
    case 'string':
      return samplesByFormat[textAt(variant, 'format')] ?? '…';
    default:
      return null;
  }
}

/** The required fields; where none is, the first, so that something is said. */
function sampleObject(schema: unknown, root: unknown, depth: number): Record<string, unknown> {
  const [variant] = readShape(schema, root).variants;
  const properties = isFields(variant?.properties) ? Object.entries(variant.properties) : [];
  const required = new Set(listAt(variant, 'required'));
  const chosen = properties.filter(([name]) => required.has(name));
  const shown = chosen.length > 0 ? chosen : properties.slice(0, 1);
  return Object.fromEntries(shown.map(([name, value]) => [name, sampleValue(value, root, depth + 1)]));
}
