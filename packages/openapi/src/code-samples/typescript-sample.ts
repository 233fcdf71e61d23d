import { type SampleOperation, samplePath } from './sample-operation.ts';

/** A program that makes the call with the SDK. It is TypeScript and JavaScript at once. */
export function typescriptSample(operation: SampleOperation): string {
  const { baseUrl, access, file } = operation;
  const reading = file === undefined ? '' : "import { readFile } from 'node:fs/promises';\n";
  return `${reading}import { Keyfront } from '@keyfront/sdk';

const keyfront = new Keyfront({
  baseUrl: ${literal(baseUrl)},
${credentials[access].map((line) => `  ${line},\n`).join('')}});

${statements(operation)}`;
}

function statements(operation: SampleOperation): string {
  const call = `keyfront.${callText(operation)}`;
  const item = iterated[operation.sdk ?? ''];
  if (item !== undefined) return `for await (const ${item} of ${call}) {\n  console.log(${item});\n}`;
  // Nothing is left to print of what was deleted.
  if (operation.method === 'DELETE') return `await ${call};`;
  const name = resultName(operation);
  return `const ${name} = await ${call};\nconsole.log(${name});`;
}

/** Methods whose result is iterated over, and what it consists of. */
const iterated: Readonly<Record<string, string>> = { 'orders.export': 'order', 'events.stream': 'event' };

const token = [`token: process.env.KEYFRONT_TOKEN`];
const credentials: Readonly<Record<SampleOperation['access'], readonly string[]>> = {
  public: [],
  credential: [`apiKey: process.env.KEYFRONT_API_KEY`, `secretKey: process.env.KEYFRONT_SECRET_KEY`],
  jwt: token,
  administrator: token,
};

function callText(operation: SampleOperation): string {
  const { method, query, body, file, sdk } = operation;
  if (sdk !== undefined && file !== undefined) return `${sdk}(await readFile(${literal(file)}))`;
  if (sdk !== undefined) return `${sdk}(${listLiterals(sdkArguments(operation, sdk))})`;
  const options = { ...(hasFields(query) ? { query } : {}), ...(body === undefined ? {} : { body }) };
  const parts = [method, samplePath(operation), ...(hasFields(options) ? [options] : [])];
  return `request(${listLiterals(parts)})`;
}

/** The parameters of the path in their order, the body, the query: the order of every method that the SDK generates. */
function sdkArguments({ path, parameters = {}, query, body }: SampleOperation, sdk: string): unknown[] {
  // The two methods that are written by hand. An id of null stands for the sale of the digital key itself, and filters
  // that filter nothing may be left out.
  if (sdk === 'sales.update') return [query?.id ?? null, body];
  if (sdk === 'orders.export') {
    return [Object.fromEntries(Object.entries(query ?? {}).filter(([, value]) => value !== ''))];
  }
  return [
    ...[...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => parameters[name]),
    ...(body === undefined ? [] : [body]),
    ...(hasFields(query) ? [query] : []),
  ];
}

function hasFields(value: object | undefined): value is object {
  return value !== undefined && Object.keys(value).length > 0;
}

const singularResults = new Set(['create', 'get', 'update', 'add', 'upload']);

/** `order` of `orders.create`, `page` of a list. */
function resultName({ sdk = '' }: SampleOperation): string {
  const [name = '', group = ''] = sdk.split('.').reverse();
  if (name === 'list') return 'page';
  return singularResults.has(name) && group.endsWith('s') ? group.slice(0, -1) : 'result';
}

const longestLine = 60;

/** A value as it is written in a program. */
export function literal(value: unknown): string {
  return fitLiteral(value, '');
}

/** The arguments of a call, over several lines where one would be too long. */
function listLiterals(values: readonly unknown[]): string {
  const onOneLine = values.map(compactLiteral).join(', ');
  if (onOneLine.length <= longestLine) return onOneLine;
  return values.map((value) => spreadLiteral(value, '')).join(', ');
}

function spreadLiteral(value: unknown, indent: string): string {
  if (typeof value !== 'object' || value === null) return compactLiteral(value);
  const inner = `${indent}  `;
  const lines = Array.isArray(value)
    ? value.map((item) => fitLiteral(item, inner))
    : Object.entries(value).map(([name, item]) => `${propertyName(name)}: ${fitLiteral(item, inner)}`);
  const [open, close] = Array.isArray(value) ? '[]' : '{}';
  return `${open}\n${lines.map((line) => `${inner}${line},\n`).join('')}${indent}${close}`;
}

function fitLiteral(value: unknown, indent: string): string {
  const onOneLine = compactLiteral(value);
  return indent.length + onOneLine.length <= longestLine ? onOneLine : spreadLiteral(value, indent);
}

function compactLiteral(value: unknown): string {
  if (typeof value === 'string') return stringLiteral(value);
  if (typeof value !== 'object' || value === null) return String(value);
  if (Array.isArray(value)) return `[${value.map(compactLiteral).join(', ')}]`;
  const fields = Object.entries(value).map(
    ([name, item]) => `${propertyName(name)}: ${compactLiteral(item)}`,
  );
  return fields.length === 0 ? '{}' : `{ ${fields.join(', ')} }`;
}

function propertyName(name: string): string {
  return /^[A-Za-z_$][\w$]*$/.test(name) ? name : stringLiteral(name);
}

function stringLiteral(text: string): string {
  const escaped = JSON.stringify(text).slice(1, -1).replaceAll('\\"', '"').replaceAll("'", "\\'");
  return `'${escaped}'`;
}
