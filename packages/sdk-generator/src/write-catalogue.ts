import type { Operation } from '@keyfront/protocol';
import { enumerationOf, type JsonSchema, withoutNull } from './json-schema.ts';
import { lineWidth } from './line-width.ts';
import { writeLiteral, writeName } from './write-literal.ts';

/** Writes `catalogue.ts`: what a tool such as the command line shows and completes. */
export function writeCatalogue(operations: readonly Operation[]): string {
  const entries = operations.map((operation) => {
    const { id, method, path, access, tag, sdk, summary, deprecated } = operation;
    return [
      id,
      {
        method,
        path,
        access,
        tag,
        sdk,
        summary,
        isDeprecated: deprecated !== undefined,
        query: describeFields(operation.query as JsonSchema | undefined),
        body: operation.body ? describeFields(operation.body as JsonSchema) : null,
      },
    ];
  });
  return `import type { OperationDescription } from '../operation-description.ts';

/** Describes every operation by its id. */
export const catalogue = ${writeOnLines(Object.fromEntries(entries))} as const satisfies Record<string, OperationDescription>;
`;
}

function describeFields({ properties = {}, required = [] }: JsonSchema = {}) {
  return Object.fromEntries(
    Object.entries(properties).map(([name, schema]) => [
      name,
      {
        isRequired: required.includes(name),
        values: enumerationOf(schema),
        description: withoutNull(schema).description ?? null,
      },
    ]),
  );
}

/** Writes a value on one line if it fits, otherwise each field on a line of its own. */
function writeOnLines(value: unknown, indent = '', before = 0): string {
  const oneLine = writeLiteral(value);
  const isFlat =
    typeof value !== 'object' || value === null || indent.length + before + oneLine.length < lineWidth;
  if (isFlat) return oneLine;
  const inner = `${indent}  `;
  const fields = Array.isArray(value)
    ? value.map((each) => `${inner}${writeOnLines(each, inner)},\n`)
    : Object.entries(value).map(([name, each]) => {
        const key = `${writeName(name)}: `;
        return `${inner}${key}${writeOnLines(each, inner, key.length)},\n`;
      });
  const [open, close] = Array.isArray(value) ? '[]' : '{}';
  return `${open}\n${fields.join('')}${indent}${close}`;
}
