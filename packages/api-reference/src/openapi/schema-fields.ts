import { entriesAt, isJsonObject, type JsonObject, listAt, valueAt } from './json-value.ts';
import { readShape, type Shape, typeOf, type Variant } from './schema-shape.ts';
import { type Fact, factsOf, typeInWords, valueInWords } from './schema-words.ts';

/** One documented value, with the values inside it. */
export interface Field {
  readonly name: string;
  readonly type: string;
  readonly isRequired: boolean;
  readonly isDeprecated: boolean;
  readonly description: string;
  readonly facts: readonly Fact[];
  readonly allowed: readonly string[];
  /** A plain value to imitate; null where the schema has none. */
  readonly example: string | null;
  /** The fields of the object, or of the objects in the array: one group for each thing that it may be. */
  readonly groups: readonly FieldGroup[];
}

export interface FieldGroup {
  /** The name of the schema; empty where it has none. */
  readonly name: string;
  readonly fields: readonly Field[];
}

interface FieldSource {
  readonly name: string;
  readonly schema: unknown;
  readonly isRequired: boolean;
}

/** Reads one field. References are looked up in `root`, the whole document. */
export function readField(source: FieldSource, root: unknown): Field {
  return toField(source, { root, within: [] });
}

/** Reads the fields of a schema that is an object. */
export function readFields(schema: unknown, root: unknown): Field[] {
  const context = { root, within: [] };
  return readShape(schema, root).variants.flatMap((variant) => fieldsOf(variant, context));
}

/**
 * Reads what a response carries: the fields of an object, or one field called `name` where it is anything else or may be
 * null.
 */
export function readPayload(name: string, schema: unknown, root: unknown): Field[] {
  const { variants, isNullable } = readShape(schema, root);
  const [only] = variants;
  const isPlainObject = variants.length === 1 && !isNullable && only && typeOf(only) === 'object';
  const fields = isPlainObject ? readFields(schema, root) : [];
  return fields.length > 0 ? fields : [readField({ name, schema, isRequired: true }, root)];
}

interface Context {
  readonly root: unknown;
  /** The names of the schemas around this one. */
  readonly within: readonly string[];
}

// An anonymous schema that contains itself would have fields without end.
const deepestNesting = 8;

function toField({ name, schema, isRequired }: FieldSource, context: Context): Field {
  const { root } = context;
  const shape = readShape(schema, root);
  return {
    name,
    type: typeInWords(shape, root),
    isRequired,
    isDeprecated: shape.isDeprecated,
    description: shape.description,
    facts: factsOf(shape, schema, root),
    allowed: allowedOf(shape, root).map(valueInWords),
    example: exampleOf(shape, schema),
    groups: groupsOf(shape, context),
  };
}

function groupsOf(shape: Shape, context: Context): FieldGroup[] {
  return shape.variants
    .flatMap((variant) => objectsOf(variant, context.root))
    .map((variant) => ({
      name: variant.name,
      fields: isRepeated(variant, context)
        ? []
        : fieldsOf(variant, { ...context, within: [...context.within, variant.name] }),
    }))
    .filter(({ fields }) => fields.length > 0);
}

/** The variant itself, or what an array of it holds. */
function objectsOf(variant: Variant, root: unknown): Variant[] {
  if (typeOf(variant) !== 'array') return [variant];
  return readShape(variant.schema.items, root).variants.flatMap((item) => objectsOf(item, root));
}

function isRepeated({ name }: Variant, { within }: Context): boolean {
  return within.length >= deepestNesting || (name !== '' && within.includes(name));
}

function fieldsOf({ schema }: Variant, context: Context): Field[] {
  const required = new Set(listAt(schema, 'required'));
  const others = [
    ...entriesAt(schema, 'patternProperties').map(([, other]) => other),
    schema.additionalProperties,
  ].filter(isJsonObject);
  return [
    ...entriesAt(schema, 'properties').map(([name, property]) =>
      toField({ name, schema: property, isRequired: required.has(name) }, context),
    ),
    ...others.map((other) => toField({ name: '*', schema: other, isRequired: false }, context)),
  ];
}

function allowedOf(shape: Shape, root: unknown): readonly unknown[] {
  if (shape.allowed.length > 0) return shape.allowed;
  const arrays = shape.variants.filter((variant) => typeOf(variant) === 'array');
  return arrays.flatMap(({ schema }) => readShape(schema.items, root).allowed);
}

function exampleOf(shape: Shape, schema: unknown): string | null {
  const sources: (unknown | JsonObject)[] = [schema, ...shape.variants.map((variant) => variant.schema)];
  const [example] = sources.flatMap((source) => [...listAt(source, 'examples'), ...singleExample(source)]);
  return example === undefined || typeof example === 'object' ? null : valueInWords(example);
}

function singleExample(source: unknown): unknown[] {
  const example = valueAt(source, 'example');
  return example === undefined ? [] : [example];
}
