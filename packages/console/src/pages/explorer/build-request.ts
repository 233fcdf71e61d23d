import type { ExplorerField, ExplorerOperation } from './read-openapi.ts';

/** What was entered, by place and name. An empty text is sent only where the API requires a value and takes an empty one. */
export type Entries = Readonly<Record<string, string>>;

export interface BuiltRequest {
  readonly method: string;
  readonly path: string;
  readonly query: Readonly<Record<string, string>>;
  /** Undefined for a request without a body. */
  readonly body: Readonly<Record<string, unknown>> | undefined;
  /** What cannot be sent, in words. */
  readonly issues: readonly string[];
}

export function entryKey({ place, name }: Pick<ExplorerField, 'place' | 'name'>): string {
  return `${place}.${name}`;
}

/** Makes a request of what was entered. */
export function buildRequest(operation: ExplorerOperation, entries: Entries): BuiltRequest {
  const issues: string[] = [];
  const query: Record<string, string> = {};
  const body: Record<string, unknown> = {};
  let path = operation.path;
  for (const field of operation.fields) {
    const text = entries[entryKey(field)] ?? '';
    if (field.place === 'path') {
      path = path.replace(`{${field.name}}`, text ? encodeURIComponent(text) : `{${field.name}}`);
      if (!text) issues.push(`${field.name} is part of the address`);
    } else if (field.place === 'query') {
      if (text || (field.isRequired && field.canBeEmpty)) query[field.name] = text;
      else if (field.isRequired) issues.push(`${field.name} is required`);
    } else if (text) {
      const value = readValue(field, text);
      if (value === undefined) issues.push(`${field.name} is not valid JSON`);
      else body[field.name] = value;
    }
  }
  const hasBody =
    !['GET', 'DELETE'].includes(operation.method) && operation.fields.some(({ place }) => place === 'body');
  return { method: operation.method, path, query, body: hasBody ? body : undefined, issues };
}

function readValue({ kind }: ExplorerField, text: string): unknown {
  if (kind === 'text') return text;
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
