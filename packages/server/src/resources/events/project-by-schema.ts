import type { TSchema } from 'typebox';

/** Copies the parts of a value that a schema names, as the serializer of a response does. */
export type Projection = (value: unknown) => unknown;

interface JsonSchema {
  readonly anyOf?: readonly JsonSchema[];
  readonly items?: JsonSchema;
  readonly properties?: Readonly<Record<string, JsonSchema>>;
}

/** Compiles the projection of a schema. */
export function compileProjection(schema: TSchema): Projection {
  return compile(schema as JsonSchema);
}

function compile({ anyOf, items, properties }: JsonSchema): Projection {
  if (anyOf) {
    // One of two is null: no schema of a resource has other alternatives that are objects.
    const inner = anyOf.find((each) => each.properties ?? each.items);
    const project = inner ? compile(inner) : keep;
    return (value) => (value === null ? null : project(value));
  }
  if (items) {
    const project = compile(items);
    return (value) => (Array.isArray(value) ? value.map(project) : value);
  }
  if (!properties) return keep;
  const fields = Object.entries(properties).map(([name, property]) => [name, compile(property)] as const);
  return (value) => {
    if (typeof value !== 'object' || value === null) return value;
    const copy: Record<string, unknown> = {};
    for (const [name, project] of fields) {
      const field = Reflect.get(value, name);
      if (field !== undefined) copy[name] = project(field);
    }
    return copy;
  };
}

const keep: Projection = (value) => value;
