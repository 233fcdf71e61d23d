import { type Fields, readShape, type Shape, textAt, typeOf } from './json-schema.ts';

const formats: Readonly<Record<string, string>> = {
  uuid: 'UUID',
  date: 'date',
  'date-time': 'date and time',
  time: 'time',
  email: 'e-mail address',
  uri: 'URI',
  hostname: 'host name',
};

/** `string, UUID or null`, `array of objects`: what a value is, in words. */
export function typeInWords(shape: Shape, root: unknown): string {
  const words = [...new Set(shape.variants.map((variant) => variantInWords(variant, root)))];
  if (words.length === 0) return shape.nullable ? 'null' : 'any value';
  return [...words, ...(shape.nullable ? ['null'] : [])].join(' or ');
}

function variantInWords(variant: Fields, root: unknown): string {
  const type = typeOf(variant);
  if (type === 'any') return 'any value';
  if (type === 'array') return `array of ${itemsInWords(variant.items, root)}`;
  const format = textAt(variant, 'format');
  return format ? `${type}, ${formats[format] ?? format}` : type;
}

function itemsInWords(items: unknown, root: unknown): string {
  const shape = readShape(items, root);
  const words = [...new Set(shape.variants.map(typeOf))].map((type) =>
    type === 'any' ? 'any value' : `${type}s`,
  );
  if (words.length === 0) return 'any value';
  return shape.nullable ? `(${words.join(' or ')} or null)` : words.join(' or ');
}

/** One rule about a value, such as `default 10`; some need no label. */
export interface Fact {
  readonly label: string;
  readonly value: string;
}

/** The rules for a value of this shape, and for the items of a list. */
export function factsOf(shape: Shape, schema: unknown, root: unknown): Fact[] {
  const facts = shape.variants.flatMap((variant) => [
    ...limitsOf(variant),
    ...(typeOf(variant) === 'array' ? readShape(variant.items, root).variants.flatMap(limitsOf) : []),
  ]);
  for (const source of [schema, ...shape.variants]) {
    const preset =
      typeof source === 'object' && source !== null && 'default' in source ? source.default : undefined;
    if (preset === undefined) continue;
    facts.push({ label: 'default', value: valueInWords(preset) });
    break;
  }
  return facts;
}

/** Text as it is, everything else as JSON. */
export function valueInWords(value: unknown): string {
  return typeof value === 'string' && value !== '' ? value : (JSON.stringify(value) ?? '');
}

function limitsOf(variant: Fields): Fact[] {
  return [
    ...range(variant.minimum, variant.maximum, ''),
    ...single('more than', variant.exclusiveMinimum),
    ...single('less than', variant.exclusiveMaximum),
    ...single('a multiple of', variant.multipleOf),
    ...range(variant.minLength, variant.maxLength, 'character'),
    ...range(variant.minItems, variant.maxItems, 'item'),
    ...range(variant.minProperties, variant.maxProperties, 'field'),
    ...(variant.uniqueItems === true ? [{ label: 'no item twice', value: '' }] : []),
    ...single('pattern', variant.pattern),
  ];
}

function range(least: unknown, most: unknown, unit: string): Fact[] {
  const hasLeast = typeof least === 'number';
  const hasMost = typeof most === 'number';
  if (hasLeast && hasMost) {
    return [{ label: '', value: counted(least === most ? `${least}` : `${least} … ${most}`, unit, most) }];
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
