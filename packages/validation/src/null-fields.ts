import type { TSchema } from 'typebox';

type JsonSchema = {
  readonly type?: unknown;
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly required?: readonly string[];
  readonly items?: JsonSchema;
  readonly maxItems?: number;
  readonly anyOf?: readonly JsonSchema[];
};

type Clean = (value: unknown) => unknown;

/**
 * Compiles a function that leaves out each optional field that is null, also in nested objects and lists: storefronts send null for
 * what they do not know. A field whose schema knows null stays, because null means something there. Copies what it changes. Does not look into
 * a list that is too long: the validation refuses it.
 */
export function compileNullFields(schema: TSchema): Clean {
  return compile(schema as JsonSchema) ?? ((value) => value);
}

/** Null if values of this schema have no such fields. */
function compile({ properties = {}, required = [], items, maxItems = Infinity }: JsonSchema): Clean | null {
  const fields = Object.entries(properties).map(([name, field]) => ({
    name,
    isRemoved: !required.includes(name) && !allowsNull(field),
    clean: compile(field),
  }));
  const affected = fields.filter(({ isRemoved, clean }) => isRemoved || clean);
  if (affected.length > 0) return (value) => (isObject(value) ? cleanFields(value, affected) : value);
  const cleanItem = items && compile(items);
  if (!cleanItem) return null;
  return (value) => (Array.isArray(value) && value.length <= maxItems ? value.map(cleanItem) : value);
}

function cleanFields(
  value: Readonly<Record<string, unknown>>,
  fields: readonly { readonly name: string; readonly isRemoved: boolean; readonly clean: Clean | null }[],
): Readonly<Record<string, unknown>> {
  const copy = { ...value };
  for (const { name, isRemoved, clean } of fields) {
    if (!Object.hasOwn(value, name)) continue;
    if (value[name] === null && isRemoved) delete copy[name];
    else if (clean) copy[name] = clean(value[name]);
  }
  return copy;
}

function allowsNull({ type, anyOf }: JsonSchema): boolean {
  if (anyOf?.some(allowsNull)) return true;
  return type === 'null' || (Array.isArray(type) && type.includes('null'));
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
