import { isJsonObject, type JsonObject, listAt, textAt, valueAt } from './json-value.ts';
import { referenceName, resolveReference } from './resolve-reference.ts';

/** One of the things that a value may be: a schema of one type that is not null. */
export interface Variant {
  readonly schema: JsonObject;
  /** The name of the component or the title; empty where the schema has neither. */
  readonly name: string;
  /** At least one of these sets of properties must be present; empty where there is no such rule. */
  readonly requiredChoices: readonly (readonly string[])[];
}

/** A schema, split into the variants that a value may be. */
export interface Shape {
  readonly variants: readonly Variant[];
  readonly isNullable: boolean;
  readonly description: string;
  /** The values of an enumeration; empty where any value of the type is valid. */
  readonly allowed: readonly unknown[];
  readonly isDeprecated: boolean;
}

/** References are looked up in `root`, the whole document. */
export function readShape(schema: unknown, root: unknown): Shape {
  const all = expand(schema, root, '', 0);
  const variants = all.filter((variant) => !isNull(variant.schema));
  const values = variants.map((variant) => valuesOf(variant.schema));
  const isEnumeration = values.length > 0 && values.every((some) => some.length > 0);
  const allowed = isEnumeration ? values.flat() : [];
  const sources = [schema, ...variants.map((variant) => variant.schema)];
  return {
    variants,
    isNullable: variants.length < all.length || allowed.includes(null),
    description: sources.map((source) => textAt(source, 'description')).find(Boolean) ?? '',
    allowed: allowed.filter((value) => value !== null),
    isDeprecated: sources.some((source) => valueAt(source, 'deprecated') === true),
  };
}

/** The type of a variant, inferred from its keywords or values where it is not stated. */
export function typeOf({ schema }: Variant): string {
  if (typeof schema.type === 'string') return schema.type;
  if (isJsonObject(schema.properties)) return 'object';
  if (isJsonObject(schema.items)) return 'array';
  const value = valuesOf(schema).find((some) => some !== null);
  if (Number.isInteger(value)) return 'integer';
  return value === undefined ? 'any' : typeof value;
}

function valuesOf(schema: JsonObject): readonly unknown[] {
  return Object.hasOwn(schema, 'const') ? [schema.const] : listAt(schema, 'enum');
}

function isNull(schema: JsonObject): boolean {
  return schema.type === 'null' || (Object.hasOwn(schema, 'const') && schema.const === null);
}

// Schemas may contain themselves through anyOf or allOf. No real one nests them this deep.
const deepestExpansion = 16;

function expand(schema: unknown, root: unknown, name: string, depth: number): Variant[] {
  if (!isJsonObject(schema) || depth > deepestExpansion) return [];
  if (textAt(schema, '$ref')) {
    return expand(resolveReference(schema, root), root, referenceName(schema), depth + 1);
  }
  const { anyOf, oneOf, allOf, ...base } = schema;
  const named = name || textAt(schema, 'title');
  const parts = listAt(schema, 'allOf');
  if (parts.length > 0) {
    const merged = parts.flatMap((part) =>
      expand(part, root, '', depth + 1).map((variant) => variant.schema),
    );
    const rest = { ...(anyOf ? { anyOf } : {}), ...(oneOf ? { oneOf } : {}) };
    return expand({ ...merge([base, ...merged]), ...rest }, root, named, depth + 1);
  }
  const choices = [...listAt(schema, 'anyOf'), ...listAt(schema, 'oneOf')];
  if (choices.length === 0) return splitTypes(base, named, []);
  if (choices.every(isRequiredRule)) {
    return splitTypes(
      base,
      named,
      choices.map((choice) => listAt(choice, 'required').map(String)),
    );
  }
  return choices.flatMap((choice) =>
    expand(choice, root, '', depth + 1).map((variant) => ({
      ...variant,
      schema: isNull(variant.schema) ? variant.schema : merge([withoutAnnotations(base), variant.schema]),
    })),
  );
}

function splitTypes(
  schema: JsonObject,
  name: string,
  requiredChoices: Variant['requiredChoices'],
): Variant[] {
  const types = Array.isArray(schema.type) ? schema.type : [schema.type];
  return types.map((type) => ({
    schema: type === undefined ? schema : { ...schema, type },
    name,
    requiredChoices,
  }));
}

/** Whether a choice says nothing except which properties must be present. */
function isRequiredRule(choice: unknown): boolean {
  return (
    isJsonObject(choice) && Object.keys(choice).every((name) => name === 'required' || name === 'description')
  );
}

/** Annotations of the whole belong to the whole; on a variant they would hide the variant's own. */
function withoutAnnotations({ description, title, default: _, examples, ...rules }: JsonObject): JsonObject {
  return rules;
}

function merge(schemas: readonly JsonObject[]): JsonObject {
  const merged: Record<string, unknown> = Object.assign({}, ...schemas);
  if (schemas.some((schema) => isJsonObject(schema.properties))) {
    merged.properties = Object.assign({}, ...schemas.map((schema) => valueAt(schema, 'properties')));
  }
  const required = schemas.flatMap((schema) => listAt(schema, 'required'));
  if (required.length > 0) merged.required = [...new Set(required)];
  return merged;
}
