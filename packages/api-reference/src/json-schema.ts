export type Fields = Readonly<Record<string, unknown>>;

export function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** What stands at the end of the path, or undefined. */
export function valueAt(value: unknown, ...path: readonly string[]): unknown {
  let found = value;
  for (const name of path) {
    if (!isFields(found) || !Object.hasOwn(found, name)) return undefined;
    found = found[name];
  }
  return found;
}

export function textAt(value: unknown, ...path: readonly string[]): string {
  const found = valueAt(value, ...path);
  return typeof found === 'string' ? found : '';
}

export function listAt(value: unknown, ...path: readonly string[]): readonly unknown[] {
  const found = valueAt(value, ...path);
  return Array.isArray(found) ? found : [];
}

/** A schema taken apart into what it may be, each with one type and without null. */
export interface Shape {
  readonly variants: readonly Fields[];
  readonly nullable: boolean;
  readonly description: string;
  /** The values of an enumeration; empty when any value of the type will do. */
  readonly allowed: readonly unknown[];
}

/** References are looked up in `root`, the whole document. */
export function readShape(schema: unknown, root: unknown): Shape {
  const all = expand(schema, root, 0);
  const variants = all.filter((variant) => !isNull(variant));
  const values = variants.map(valuesOf);
  const isEnumeration = values.length > 0 && values.every((some) => some.length > 0);
  const allowed = isEnumeration ? values.flat() : [];
  return {
    variants,
    nullable: variants.length < all.length || allowed.includes(null),
    description: textAt(schema, 'description') || variants.map(descriptionOf).find(Boolean) || '',
    allowed: allowed.filter((value) => value !== null),
  };
}

function descriptionOf(variant: Fields): string {
  return textAt(variant, 'description');
}

function valuesOf(variant: Fields): readonly unknown[] {
  return Object.hasOwn(variant, 'const') ? [variant.const] : listAt(variant, 'enum');
}

function isNull(variant: Fields): boolean {
  return variant.type === 'null' || (Object.hasOwn(variant, 'const') && variant.const === null);
}

// References may go round in circles; nothing real is this deep.
const maximumExpansion = 16;

function expand(schema: unknown, root: unknown, depth: number): Fields[] {
  if (!isFields(schema) || depth > maximumExpansion) return [];
  const reference = textAt(schema, '$ref');
  if (reference) return expand(resolveReference(reference, root), root, depth + 1);
  const choices = [...listAt(schema, 'anyOf'), ...listAt(schema, 'oneOf')];
  if (choices.length > 0) return choices.flatMap((choice) => expand(choice, root, depth + 1));
  const parts = listAt(schema, 'allOf');
  if (parts.length > 0) return [merge([schema, ...parts.flatMap((part) => expand(part, root, depth + 1))])];
  if (Array.isArray(schema.type)) return schema.type.map((type) => ({ ...schema, type }));
  return [schema];
}

function merge(schemas: readonly Fields[]): Fields {
  return {
    ...Object.assign({}, ...schemas),
    properties: Object.assign({}, ...schemas.map((schema) => valueAt(schema, 'properties'))),
    required: schemas.flatMap((schema) => listAt(schema, 'required')),
  };
}

function resolveReference(reference: string, root: unknown): unknown {
  if (!reference.startsWith('#/')) return undefined;
  const names = reference.slice(2).split('/');
  return valueAt(root, ...names.map((name) => name.replaceAll('~1', '/').replaceAll('~0', '~')));
}

/** The type of a variant, found from its keywords or values where it is not said. */
export function typeOf(variant: Fields): string {
  if (typeof variant.type === 'string') return variant.type;
  if (isFields(variant.properties)) return 'object';
  if (isFields(variant.items)) return 'array';
  const value = valuesOf(variant).find((some) => some !== null);
  if (Number.isInteger(value)) return 'integer';
  return value === undefined ? 'any' : typeof value;
}
