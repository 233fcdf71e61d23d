import type { TSchema } from 'typebox';

/** Converts the URLs in a value. Values without any are returned as they are. */
export type UrlPublisher = (value: unknown) => unknown;

interface JsonSchema {
  readonly format?: string;
  readonly anyOf?: readonly JsonSchema[];
  readonly items?: JsonSchema;
  readonly properties?: Readonly<Record<string, JsonSchema>>;
}

/**
 * Compiles a function that applies `publish` to every text that a schema calls a URI. Null if it names none. It copies what it
 * changes, because handlers may share parts of their responses.
 */
export function compileUrlPublisher(schema: TSchema, publish: (url: string) => string): UrlPublisher | null {
  return compile(schema as JsonSchema, (value) => (typeof value === 'string' ? publish(value) : value));
}

function compile(schema: JsonSchema, publish: UrlPublisher): UrlPublisher | null {
  const { format, anyOf = [], items, properties = {} } = schema;
  if (format === 'uri') return publish;
  // One of them is null: responses have no other alternatives with URLs.
  for (const alternative of anyOf) {
    const found = compile(alternative, publish);
    if (found) return found;
  }
  const publishItem = items && compile(items, publish);
  if (publishItem) return (value) => (Array.isArray(value) ? value.map(publishItem) : value);
  const fields = Object.entries(properties).flatMap(([name, property]) => {
    const publishField = compile(property, publish);
    return publishField ? [[name, publishField] as const] : [];
  });
  if (fields.length === 0) return null;
  return (value) => {
    if (typeof value !== 'object' || value === null) return value;
    let copy: Record<string, unknown> | undefined;
    for (const [name, publishField] of fields) {
      const before = Reflect.get(value, name);
      const after = publishField(before);
      if (after === before) continue;
      copy ??= { ...value };
      copy[name] = after;
    }
    return copy ?? value;
  };
}
