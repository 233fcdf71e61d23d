import { type Fields, isFields, listAt, readShape, type Shape, typeOf } from './json-schema.ts';
import { type Fact, factsOf, typeInWords, valueInWords } from './schema-words.ts';

/** One line of a table of fields. */
export interface SchemaRow {
  /** What the field lies in, with its last dot: `strains[].planet.`; empty at the top. */
  readonly parent: string;
  /** With `[]` behind it when it is a list. */
  readonly name: string;
  readonly type: string;
  readonly required: boolean;
  readonly facts: readonly Fact[];
  readonly allowed: readonly string[];
  readonly example: string | null;
  readonly description: string;
}

interface Field {
  readonly name: string;
  readonly schema: unknown;
  readonly required: boolean;
  readonly parent?: string;
}

/** The row of a field, then those of the fields it contains. `root` is where references are looked up. */
export function rowsOfField(field: Field, root: unknown): SchemaRow[] {
  const { name, schema, required, parent = '' } = field;
  const shape = readShape(schema, root);
  const suffix = shape.variants.some((variant) => typeOf(variant) === 'array') ? '[]' : '';
  const row: SchemaRow = {
    parent,
    name: name + suffix,
    type: typeInWords(shape, root),
    required,
    facts: factsOf(shape, schema, root),
    allowed: allowedOf(shape, root).map(valueInWords),
    example: exampleOf(shape, schema),
    description: shape.description,
  };
  return [row, ...shape.variants.flatMap((variant) => rowsWithin(variant, parent + name, root))];
}

/** The rows of the fields of an object, without one for the object itself. */
export function rowsOfObject(schema: unknown, root: unknown): SchemaRow[] {
  return readShape(schema, root).variants.flatMap((variant) => rowsOfProperties(variant, '', root));
}

/** The rows of an answer: of its fields, or of the value itself where it is anything but an object. */
export function rowsOfAnswer(schema: unknown, root: unknown): SchemaRow[] {
  const { variants, nullable } = readShape(schema, root);
  const isPlainObject =
    variants.length === 1 && !nullable && variants.every((one) => typeOf(one) === 'object');
  const rows = isPlainObject ? rowsOfObject(schema, root) : [];
  return rows.length > 0 ? rows : rowsOfField({ name: 'data', schema, required: true }, root);
}

// A schema that contains itself would have rows without end.
const maximumNesting = 8;

function rowsWithin(variant: Fields, path: string, root: unknown): SchemaRow[] {
  if (path.split('.').length > maximumNesting) return [];
  if (typeOf(variant) !== 'array') return rowsOfProperties(variant, `${path}.`, root);
  return readShape(variant.items, root).variants.flatMap((item) => rowsWithin(item, `${path}[]`, root));
}

function rowsOfProperties(variant: Fields, parent: string, root: unknown): SchemaRow[] {
  const required = new Set(listAt(variant, 'required'));
  const properties = isFields(variant.properties) ? Object.entries(variant.properties) : [];
  const patterns = isFields(variant.patternProperties) ? Object.values(variant.patternProperties) : [];
  const others = [...patterns, variant.additionalProperties].filter(isFields);
  return [
    ...properties.flatMap(([name, schema]) =>
      rowsOfField({ name, schema, required: required.has(name), parent }, root),
    ),
    ...others.flatMap((schema) => rowsOfField({ name: '*', schema, required: false, parent }, root)),
  ];
}

function allowedOf(shape: Shape, root: unknown): readonly unknown[] {
  if (shape.allowed.length > 0) return shape.allowed;
  const lists = shape.variants.filter((variant) => typeOf(variant) === 'array');
  return lists.flatMap((list) => readShape(list.items, root).allowed);
}

function exampleOf(shape: Shape, schema: unknown): string | null {
  const [example] = [schema, ...shape.variants].flatMap((source) => listAt(source, 'examples'));
  return example === undefined || typeof example === 'object' ? null : valueInWords(example);
}
