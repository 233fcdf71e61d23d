import { isJsonObject, type JsonObject, textAt, valueAt } from './json-value.ts';
import type { ReferenceDocument } from './openapi-document.ts';
import { resolveReference } from './resolve-reference.ts';
import { proposedValue, sampleValue } from './sample-value.ts';
import { credentialHeaders, readSecurity, shellVariable } from './security-words.ts';

// A longer line would wrap in the panel.
const longestLine = 48;

interface Call {
  readonly method: string;
  readonly path: string;
  readonly operation: JsonObject;
  /** References among them are resolved. */
  readonly parameters: readonly unknown[];
}

/** A curl command for an operation whose document brings no code samples of its own. */
export function curlCommand(document: ReferenceDocument, call: Call): string {
  const { method, operation } = call;
  const start = method === 'GET' ? 'curl' : `curl -X ${method}`;
  const address = doubleQuoted(requestAddress(document, call));
  const parts = [
    ...(start.length + address.length < longestLine ? [`${start} ${address}`] : [start, address]),
    ...credentialHeaders(readSecurity(operation, document), document).map(
      (header) => `-H ${doubleQuoted(header)}`,
    ),
  ];
  const requestBody = resolveReference(operation.requestBody, document);
  const body = valueAt(requestBody, 'content', 'application/json');
  if (isJsonObject(body)) {
    const given = body.example ?? valueAt(firstExample(body, document), 'value');
    const value = given === undefined ? sampleValue(body.schema, document) : given;
    parts.push('-H "content-type: application/json"', `-d ${singleQuoted(bodyText(value))}`);
  }
  return parts.join(' \\\n  ');
}

function firstExample(media: unknown, document: ReferenceDocument): unknown {
  const examples = valueAt(media, 'examples');
  return isJsonObject(examples) ? resolveReference(Object.values(examples)[0], document) : null;
}

function requestAddress(document: ReferenceDocument, { path, parameters }: Call): string {
  const base = document.servers?.[0]?.url.replace(/\/+$/, '') ?? '';
  const address = base + path.replaceAll(/\{(\w+)\}/g, (_, name: string) => `$${shellVariable(name)}`);
  const query = parameters
    .filter((parameter) => textAt(parameter, 'in') === 'query' && valueAt(parameter, 'required') === true)
    .map((parameter) => {
      const name = textAt(parameter, 'name');
      const value = valueAt(parameter, 'example') ?? proposedValue(valueAt(parameter, 'schema'), document);
      const shown = value === undefined ? `$${shellVariable(name)}` : encodeURIComponent(String(value));
      return `${encodeURIComponent(name)}=${shown}`;
    });
  return query.length > 0 ? `${address}?${query.join('&')}` : address;
}

function bodyText(value: unknown): string {
  const compact = JSON.stringify(value);
  return compact.length > longestLine ? JSON.stringify(value, null, 2).replaceAll('\n', '\n  ') : compact;
}

/** Leaves variables to the shell and nothing else. */
function doubleQuoted(text: string): string {
  return `"${text.replaceAll(/["`\\]|\$(?![A-Z_])/g, '\\$&')}"`;
}

function singleQuoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
