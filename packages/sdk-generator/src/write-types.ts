import { describeValue } from './describe-value.ts';
import { type JsonSchema, requiredChoicesOf } from './json-schema.ts';
import type { NamedSchemas } from './named-schemas.ts';
import { writeComment } from './write-comment.ts';
import { breakUnion, writeStructure } from './write-type.ts';

/** Writes `types.ts`: every type that the methods take and return. */
export function writeTypes({ models, queries }: NamedSchemas): string {
  return [
    ...[...models].map(([name, schema]) => writeModel(name, schema)),
    ...[...queries].map(([name, schema]) => writeAlias(name, schema)),
  ].join('\n');
}

function writeModel(name: string, schema: JsonSchema): string {
  if (!schema.properties || requiredChoicesOf(schema).length > 0) return writeAlias(name, schema);
  return `${writeComment(describeValue(schema))}export interface ${name} ${writeStructure(schema)}\n`;
}

// Queries are aliases, because `Record<string, …>` accepts no interface.
function writeAlias(name: string, schema: JsonSchema): string {
  const before = `export type ${name} =`;
  return `${writeComment(describeValue(schema))}${before}${breakUnion(writeStructure(schema), before, '')};\n`;
}
