import { type ErrorCode, errorCodesOf, errorTable, type Operation } from '@keyfront/protocol';
import { type JsonSchema, requiredChoicesOf } from './json-schema.ts';
import { lineWidth } from './line-width.ts';
import { queryNameOf } from './named-schemas.ts';
import { endSentence, writeComment } from './write-comment.ts';
import { writeLiteral } from './write-literal.ts';
import { writeType } from './write-type.ts';

const indent = '  ';

/** Writes the method of an operation. Its arguments are path parameters, body, query and call options. */
export function writeMethod(
  name: string,
  operation: Operation,
  exportNames: ReadonlyMap<unknown, string>,
): string {
  const { id, path } = operation;
  const parameters = [...path.matchAll(/\{(\w+)\}/g)].map(([, parameter = '']) => parameter);
  const bodyName = operation.upload
    ? 'file'
    : operation.body
      ? nameOfBody(operation.body as JsonSchema)
      : null;
  const bodyType = operation.upload ? 'Uint8Array' : writeType((operation.body ?? {}) as JsonSchema, indent);
  const input = [
    ...(parameters.length > 0 ? [`parameters: [${parameters.join(', ')}]`] : []),
    ...(bodyName === null ? [] : [bodyName === 'body' ? 'body' : `body: ${bodyName}`]),
    ...(operation.query ? ['query'] : []),
  ].join(', ');
  const list = listOf(operation);
  const kind = operation.page ? 'page' : list ? 'list' : 'call';
  const response = writeType(operation.response as JsonSchema, indent);
  const signature = writeSignature(
    name,
    [
      ...parameters.map((parameter) => `${parameter}: ${typeOfParameter(operation, parameter)}`),
      ...(bodyName === null ? [] : [`${bodyName}: ${bodyType}${writeDefaultBody(operation)}`]),
      ...(operation.query ? [writeQueryArgument(operation, exportNames)] : []),
      'options?: CallOptions',
    ],
    list ? `PageList<${response}, ${list.item}>` : `Promise<${response}>`,
  );
  const call = writeCall(kind, [
    `operations.${id}`,
    ...(list ? [`'${list.field}'`] : []),
    input ? `{ ${input} }` : '{}',
    'options',
  ]);
  return `${writeComment(describeMethod(operation), indent)}${signature} {\n${call}${indent}}\n`;
}

function nameOfBody({ title = 'body' }: JsonSchema): string {
  return title.charAt(0).toLowerCase() + title.slice(1);
}

/** The default of a body that says nothing the operation does not know: each required field has only one possible value. */
function writeDefaultBody({ body, upload }: Operation): string {
  const schema = (body ?? {}) as JsonSchema;
  const { properties = {}, required = [], minProperties = 0 } = schema;
  if (upload || minProperties > required.length || requiredChoicesOf(schema).length > 0) return '';
  const fields = required.map((name): [string, unknown[]] => [name, valuesOf(properties[name] ?? {})]);
  if (fields.some(([, values]) => values.length !== 1)) return '';
  return ` = ${writeLiteral(Object.fromEntries(fields.map(([name, [value]]) => [name, value])))}`;
}

function valuesOf({ const: value, enum: values = [] }: JsonSchema): unknown[] {
  return value === undefined ? [...values] : [value];
}

function typeOfParameter({ id, parameters }: Operation, name: string): string {
  const schema = (parameters as JsonSchema | undefined)?.properties?.[name];
  if (!schema) throw new Error(`${id} has no schema for its path parameter ${name}`);
  return writeType(schema, indent);
}

function writeQueryArgument(operation: Operation, exportNames: ReadonlyMap<unknown, string>): string {
  const { required = [] } = operation.query as JsonSchema;
  const type = queryNameOf(operation, operation.query, exportNames);
  return `query: ${type}${required.length > 0 ? '' : ' = {}'}`;
}

function writeSignature(name: string, inputs: readonly string[], output: string): string {
  const oneLine = `${indent}${name}(${inputs.join(', ')}): ${output}`;
  if (oneLine.length + ' {'.length <= lineWidth) return oneLine;
  return `${indent}${name}(\n${inputs.map((each) => `${indent}  ${each},\n`).join('')}${indent}): ${output}`;
}

function writeCall(name: string, inputs: readonly string[]): string {
  const start = `${indent}  return this.client.${name}(`;
  const oneLine = `${start}${inputs.join(', ')});`;
  if (oneLine.length <= lineWidth) return `${oneLine}\n`;
  return `${start}\n${inputs.map((each) => `${indent}    ${each},\n`).join('')}${indent}  );\n`;
}

/** The list in the response of a GET that consists of a list, with or without metadata of its page and what a query adds. */
function listOf({ method, response }: Operation): { field: string; item: string } | null {
  const { properties = {}, required = [] } = response as JsonSchema;
  const fields = Object.entries(properties).filter(([name]) => required.includes(name));
  const [entry, ...others] = fields.filter(([name]) => name !== 'pageMetaDto');
  if (method !== 'GET' || !entry || others.length > 0) return null;
  const [field, schema] = entry;
  return schema.type === 'array' ? { field, item: writeType(schema.items ?? {}, indent) } : null;
}

function describeMethod(operation: Operation): string[] {
  const { method, path, summary, description = '', retry, deprecated } = operation;
  return [
    endSentence(summary),
    description,
    [`\`${method} ${path}\``, ...describeRetries(retry)].join('. '),
    deprecated
      ? `@deprecated Since ${deprecated.since}.${deprecated.successor ? ` Use ${deprecated.successor}.` : ''}`
      : '',
    ...describeErrors(operation),
  ];
}

function describeRetries(retry: Operation['retry']): string[] {
  if (retry === 'never') return ['The request is not retried.'];
  if (typeof retry === 'string') return [];
  return [`A request with ${retry.unless.map((field) => `\`${field}\``).join(' or ')} is not retried.`];
}

const errorClasses: Readonly<Record<number, string>> = {
  400: 'ValidationError',
  401: 'AuthenticationError',
  403: 'ForbiddenError',
  404: 'NotFoundError',
  409: 'ConflictError',
  410: 'ConflictError',
  422: 'ConflictError',
};

/** The errors that are particular to the operation, by the class that the client throws. */
function describeErrors(operation: Operation): string[] {
  const { parameters: _parameters, ...withoutParameters } = { ...operation, errors: [] };
  const common = new Set<ErrorCode>(errorCodesOf(withoutParameters));
  const byClass = new Map<string, string[]>();
  for (const code of errorCodesOf(operation)) {
    if (common.has(code)) continue;
    const name = errorClasses[errorTable[code].status] ?? 'KeyfrontError';
    byClass.set(name, [...(byClass.get(name) ?? []), `\`${code}\``]);
  }
  return [...byClass].map(([name, codes]) => `@throws ${name} ${codes.join(', ')}`);
}
