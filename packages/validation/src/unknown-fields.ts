import { maximumIssues } from '@keyfront/protocol';
import type { TSchema } from 'typebox';

/** What a schema says about the fields of a value. */
interface Shape {
  /** The known fields of an object, each with the shape of its value. Null if any field is allowed. */
  readonly fields: ReadonlyMap<string, Shape> | null;
  /** The shape of the elements of a list. */
  readonly items: Shape | null;
  readonly maxItems: number;
}

/**
 * Compiles a function that names each field of a body that its schema does not know, also in nested objects and lists. An object
 * whose schema has no properties is free-form, so its content is not checked. A field that repeats a path parameter is known:
 * some storefronts send the id that is in the path in the body too. Does not look into a list that is too long: the validation refuses it.
 */
export function compileUnknownFields(schema: TSchema): (body: unknown, pathParameters?: unknown) => string[] {
  const shape = readShape(schema);
  return (body, pathParameters = {}) => {
    const issues: string[] = [];
    findUnknownFields(shape, body, { path: '', repeated: pathParameters as Fields, issues });
    return issues;
  };
}

type Fields = Readonly<Record<string, unknown>>;

interface Search {
  /** Of the value that is searched; empty for the body. */
  readonly path: string;
  /** Fields that are known if they have exactly this value. */
  readonly repeated: Fields;
  readonly issues: string[];
}

function findUnknownFields({ fields, items, maxItems }: Shape, value: unknown, search: Search): void {
  if (typeof value !== 'object' || value === null) return;
  const { path, repeated, issues } = search;
  const inside = (name: string): Search => ({ path: join(path, name), repeated: {}, issues });
  if (Array.isArray(value)) {
    if (!items || value.length > maxItems) return;
    for (const [index, item] of value.entries()) {
      if (issues.length >= maximumIssues) return;
      findUnknownFields(items, item, inside(String(index)));
    }
    return;
  }
  if (!fields) return;
  for (const [name, inner] of Object.entries(value)) {
    if (issues.length >= maximumIssues) return;
    const field = fields.get(name);
    if (field) findUnknownFields(field, inner, inside(name));
    else if (!Object.hasOwn(repeated, name) || repeated[name] !== inner) {
      issues.push(`${join(path, name)} should not exist`);
    }
  }
}

type JsonSchema = {
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly items?: JsonSchema;
  readonly maxItems?: number;
  readonly anyOf?: readonly JsonSchema[];
};

/** Reads the shape of a schema. If a value may be one of several, a field is known if one of them has it. */
function readShape(schema: JsonSchema): Shape {
  const choices = [schema, ...(schema.anyOf ?? [])];
  const fields = choices.flatMap(({ properties }) => (properties ? Object.entries(properties) : []));
  const lists = choices.filter(({ items }) => items !== undefined);
  const hasFields = choices.some(({ properties }) => properties !== undefined);
  return {
    fields: hasFields ? new Map(fields.map(([name, inner]) => [name, readShape(inner)])) : null,
    items: lists[0]?.items ? readShape(lists[0].items) : null,
    maxItems: lists[0]?.maxItems ?? Infinity,
  };
}

function join(path: string, name: string): string {
  return path ? `${path}.${name}` : name;
}
