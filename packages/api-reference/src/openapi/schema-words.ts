import { textAt } from './json-value.ts';
import { readShape, type Shape, typeOf, type Variant } from './schema-shape.ts';

const formats: Readonly<Record<string, string>> = {
  uuid: 'UUID',
  date: 'date',
  'date-time': 'date and time',
  time: 'time',
  email: 'email address',
  uri: 'URI',
  hostname: 'host name',
};

/** What a value is, in words: `string, UUID or null`, `array of Order objects`. */
export function typeInWords(shape: Shape, root: unknown): string {
  const words = [...new Set(shape.variants.map((variant) => variantInWords(variant, root)))];
  if (words.length === 0) return shape.isNullable ? 'null' : 'any value';
  return [...words, ...(shape.isNullable ? ['null'] : [])].join(' or ');
}

function variantInWords(variant: Variant, root: unknown): string {
  const type = typeOf(variant);
  if (type === 'any') return 'any value';
  if (type === 'array') return `array of ${itemsInWords(variant.schema.items, root)}`;
  if (type === 'object') return variant.name ? `${variant.name} object` : 'object';
  const format = textAt(variant.schema, 'format');
  return format ? `${type}, ${formats[format] ?? format}` : type;
}

function itemsInWords(items: unknown, root: unknown): string {
  const shape = readShape(items, root);
  const words = [...new Set(shape.variants.map((variant) => pluralOf(variant, root)))];
  if (words.length === 0) return 'any value';
  return shape.isNullable ? `(${words.join(' or ')} or null)` : words.join(' or ');
}

function pluralOf(variant: Variant, root: unknown): string {
  const type = typeOf(variant);
  if (type === 'any') return 'any value';
  if (type === 'array') return `arrays of ${itemsInWords(variant.schema.items, root)}`;
  return type === 'object' && variant.name ? `${variant.name} objects` : `${type}s`;
}

/** A rule about a value, such as `default 10`. Some rules need no label, others no value. */
export interface Fact {
  readonly label: string;
  readonly value: string;
}

/** The rules for a value of this shape, and for the items of an array. */
export function factsOf(shape: Shape, schema: unknown, root: unknown): Fact[] {
  const facts = shape.variants.flatMap((variant) => [
    ...limitsOf(variant),
    ...(typeOf(variant) === 'array' ? readShape(variant.schema.items, root).variants.flatMap(limitsOf) : []),
  ]);
  const sources = [schema, ...shape.variants.map((variant) => variant.schema)];
  const preset = sources
    .map((source) =>
      typeof source === 'object' && source !== null && 'default' in source ? source.default : undefined,
    )
    .find((value) => value !== undefined);
  // A number that may be a string has the same rules twice.
  const unique = [...new Map(facts.map((fact) => [`${fact.label} ${fact.value}`, fact])).values()];
  return preset === undefined ? unique : [...unique, { label: 'default', value: valueInWords(preset) }];
}

/** A string as it is, everything else as JSON. */
export function valueInWords(value: unknown): string {
  return typeof value === 'string' && value !== '' ? value : (JSON.stringify(value) ?? '');
}

function limitsOf({ schema, requiredChoices }: Variant): Fact[] {
  return [
    ...range(schema.minimum, schema.maximum, ''),
    ...single('more than', schema.exclusiveMinimum),
    ...single('less than', schema.exclusiveMaximum),
    ...single('a multiple of', schema.multipleOf),
    ...range(schema.minLength, schema.maxLength, 'character'),
    ...range(schema.minItems, schema.maxItems, 'item'),
    ...range(schema.minProperties, schema.maxProperties, 'field'),
    ...(schema.uniqueItems === true ? [{ label: 'no duplicates', value: '' }] : []),
    ...single('pattern', schema.pattern),
    ...(requiredChoices.length > 0
      ? [{ label: 'at least one of', value: requiredChoices.map((names) => names.join(' + ')).join(', ') }]
      : []),
  ];
}

// The ends of the integer types of databases and languages say nothing about the field.
const typeLimits = new Set([2 ** 31 - 1, Number.MAX_SAFE_INTEGER]);

function range(least: unknown, most: unknown, unit: string): Fact[] {
  const hasLeast = typeof least === 'number';
  const hasMost = typeof most === 'number' && !typeLimits.has(most);
  if (hasLeast && hasMost) {
    return [{ label: '', value: counted(least === most ? `${least}` : `${least} to ${most}`, unit, most) }];
  }
  if (hasLeast) return [{ label: 'at least', value: counted(`${least}`, unit, least) }];
  return hasMost ? [{ label: 'at most', value: counted(`${most}`, unit, most) }] : [];
}

function counted(amount: string, unit: string, last: number): string {
  return unit ? `${amount} ${unit}${last === 1 ? '' : 's'}` : amount;
}

function single(label: string, value: unknown): Fact[] {
  return value === undefined ? [] : [{ label, value: String(value) }];
}
