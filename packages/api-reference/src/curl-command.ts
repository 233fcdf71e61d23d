import { addressOf, shellVariable } from './addresses.ts';
import { credentialHeaders } from './credentials.ts';
import { valueAt } from './json-schema.ts';
import type { OpenApiDocument } from './openapi-document.ts';
import type { ListedOperation } from './operation-groups.ts';
import { proposedValue, sampleValue } from './sample-value.ts';

// What fits into the panel without being wrapped.
const longestLine = 48;

/** The command that calls an operation, ready to be pasted into a shell. */
export function curlCommand(document: OpenApiDocument, listed: ListedOperation): string {
  const { method, operation } = listed;
  const start = method === 'GET' ? 'curl' : `curl -X ${method}`;
  const address = doubleQuoted(requestAddress(document, listed));
  const parts = [
    ...(start.length + address.length < longestLine ? [`${start} ${address}`] : [start, address]),
    ...credentialHeaders(document, operation).map((header) => `-H ${doubleQuoted(header)}`),
  ];
  const body = valueAt(operation.requestBody?.content, 'application/json');
  if (body !== undefined) {
    const given = valueAt(body, 'example');
    const value = given === undefined ? sampleValue(valueAt(body, 'schema'), document) : given;
    parts.push('-H "content-type: application/json"', `-d ${singleQuoted(bodyText(value))}`);
  }
  return parts.join(' \\\n  ');
}

function requestAddress(document: OpenApiDocument, { path, operation }: ListedOperation): string {
  const address = addressOf(
    document,
    path.replaceAll(/\{(\w+)\}/g, (_, name: string) => `$${shellVariable(name)}`),
  );
  const query = (operation.parameters ?? [])
    .filter((parameter) => parameter.in === 'query' && parameter.required)
    .map(({ name, schema }) => {
      const value = proposedValue(schema, document);
      const shown = value === undefined ? `$${shellVariable(name)}` : encodeURIComponent(String(value));
      return `${encodeURIComponent(name)}=${shown}`;
    });
  return query.length > 0 ? `${address}?${query.join('&')}` : address;
}

function bodyText(value: unknown): string {
  const compact = JSON.stringify(value);
  return compact.length > longestLine ? JSON.stringify(value, null, 2).replaceAll('\n', '\n  ') : compact;
}

/** Leaves the variables to the shell, and nothing else. */
function doubleQuoted(text: string): string {
  return `"${text.replaceAll(/["`\\]|\$(?![A-Z_])/g, '\\$&')}"`;
}

function singleQuoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
