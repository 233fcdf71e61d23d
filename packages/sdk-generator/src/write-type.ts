import { describeValue } from './describe-value.ts';
import { type JsonSchema, requiredChoicesOf } from './json-schema.ts';
import { lineWidth } from './line-width.ts';
import { writeComment } from './write-comment.ts';
import { writeLiteral, writeName } from './write-literal.ts';

/** Writes the type of a value: the name of a schema that has a title, the structure of any other. */
export function writeType(schema: JsonSchema, indent = ''): string {
  return schema.title ?? writeStructure(schema, indent);
}

/** Writes what the type of a value consists of. */
export function writeStructure(schema: JsonSchema, indent = ''): string {
  const choices = requiredChoicesOf(schema);
  if (choices.length > 0) return writeChoices(schema, choices, indent);
  if (schema.anyOf) return schema.anyOf.map((each) => writeType(each, indent)).join(' | ');
  if (schema.enum) return schema.enum.map(writeLiteral).join(' | ');
  if (schema.const !== undefined) return writeLiteral(schema.const);
  if (Array.isArray(schema.type)) {
    return schema.type.map((type) => writeStructure({ ...schema, type }, indent)).join(' | ');
  }
  switch (schema.type) {
    case 'string':
    case 'boolean':
    case 'null':
      return schema.type;
    case 'number':
    case 'integer':
      return 'number';
    case 'array':
      return writeArray(schema.items ?? {}, indent);
    case 'object':
      return schema.properties ? writeObject(schema, indent) : writeRecord(schema, indent);
    case undefined:
      return 'unknown';
    default:
      throw new Error(`There is no TypeScript type for ${JSON.stringify(schema)}`);
  }
}

function writeArray(items: JsonSchema, indent: string): string {
  const item = writeType(items, indent);
  return item.includes(' | ') && !item.startsWith('{') ? `(${item})[]` : `${item}[]`;
}

function writeRecord({ additionalProperties }: JsonSchema, indent: string): string {
  const value =
    typeof additionalProperties === 'object' ? writeType(additionalProperties, indent) : 'unknown';
  return `Record<string, ${value}>`;
}

function writeObject(
  { properties = {}, required = [], additionalProperties }: JsonSchema,
  indent: string,
): string {
  const inner = `${indent}  `;
  const fields = Object.entries(properties).map(([name, schema]) => {
    const key = `${inner}${writeName(name)}${required.includes(name) ? '' : '?'}:`;
    return `${writeComment(describeValue(schema), inner)}${key}${breakUnion(writeType(schema, inner), key, inner)};\n`;
  });
  if (additionalProperties === true) fields.push(`${inner}[name: string]: unknown;\n`);
  return fields.length === 0 ? 'Record<string, never>' : `{\n${fields.join('')}${indent}}`;
}

/** Writes an object that needs at least one of several sets of properties. */
function writeChoices(
  { anyOf: _choices, ...schema }: JsonSchema,
  choices: readonly (readonly string[])[],
  indent: string,
): string {
  const members = choices.map((names) => {
    const fields = names.map(
      (name) => `${writeName(name)}: ${writeType(schema.properties?.[name] ?? {}, indent)}`,
    );
    return `{ ${fields.join('; ')} }`;
  });
  return `${writeStructure(schema, indent)} & (${members.join(' | ')})`;
}

/** Puts the members of a union that is too long for its line on lines of their own. */
export function breakUnion(type: string, before: string, indent: string): string {
  const isLong = before.length + 1 + type.length + 1 > lineWidth;
  if (!isLong || type.includes('\n')) return ` ${type}`;
  return type
    .split(' | ')
    .map((member) => `\n${indent}  | ${member}`)
    .join('');
}
