import { maximumIssues } from '@keyfront/protocol';
import type { TSchema } from 'typebox';
import type { Validate } from './validator.ts';

/** What a schema says about the fields of a value. */
interface Shape {
  /** The known fields of an object, each with the shape of its value. Null if any field is allowed. */
  readonly fields: ReadonlyMap<string, Shape> | null;
  /** The shape of the elements of a list. */
  readonly items: Shape | null;
}

/**
 * Compiles a function that names each field of a body that its schema does not know, also in nested objects and lists. An object
 * whose schema has no properties is free-form, so its content is not checked.
 */
export function compileUnknownFields(schema: TSchema): Validate {
  const shape = readShape(schema);
  return (value) => {
    const issues: string[] = [];
    findUnknownFields(shape, value, '', issues);
    return issues;
  };
}

function findUnknownFields({ fields, items }: Shape, value: unknown, path: string, issues: string[]): void {
  if (typeof value !== 'object' || value === null) return;
  if (Array.isArray(value)) {
    if (!items) return;
    for (const [index, item] of value.entries()) {
      if (issues.length >= maximumIssues) return;
      findUnknownFields(items, item, join(path, String(index)), issues);
    }
    return;
  }
  if (!fields) return;
  for (const [name, inner] of Object.entries(value)) {
    if (issues.length >= maximumIssues) return;
    const field = fields.get(name);
    if (field) findUnknownFields(field, inner, join(path, name), issues);
    else issues.push(`${join(path, name)} should not exist`);
  }
}

type JsonSchema = {
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly items?: JsonSchema;
  readonly anyOf?: readonly JsonSchema[];
};

/** Reads the shape of a schema. If a value may be one of several, a field is known if one of them has it. */
function readShape(schema: JsonSchema): Shape {
  const choices = [schema, ...(schema.anyOf ?? [])];
  const fields = choices.flatMap(({ properties }) => (properties ? Object.entries(properties) : []));
  const items = choices.flatMap((choice) => choice.items ?? []);
  const hasFields = choices.some(({ properties }) => properties !== undefined);
  return {
    fields: hasFields ? new Map(fields.map(([name, inner]) => [name, readShape(inner)])) : null,
    items: items[0] ? readShape(items[0]) : null,
  };
}

function join(path: string, name: string): string {
  return path ? `${path}.${name}` : name;
}
