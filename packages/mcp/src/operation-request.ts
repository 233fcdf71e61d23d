import { takesIdempotencyKey, uuidForm } from '@keyfront/protocol';
import { idempotencyKeyName } from './schemas/describe-input.ts';
import type { OperationTool } from './tools.ts';

/** A request of the REST API. */
export interface OperationRequest {
  readonly method: string;
  /** Path and query, relative to `/api/v1`. */
  readonly target: string;
  readonly idempotencyKey: string | null;
  /** Null: the request has no body. */
  readonly body: Readonly<Record<string, unknown>> | null;
}

/** The status and the envelope of a response. */
export interface OperationResponse {
  readonly status: number;
  readonly envelope: Readonly<Record<string, unknown>>;
}

/** Calls an operation as the caller of the MCP server. */
export type CallOperation = (request: OperationRequest) => Promise<OperationResponse>;

/** What is wrong with the arguments of a call before the service can see them. */
export function findArgumentIssues(tool: OperationTool, given: Readonly<Record<string, unknown>>): string[] {
  const { properties = {} } = tool.inputSchema;
  const unknown = Object.keys(given).filter((name) => !Object.hasOwn(properties, name));
  const missing = tool.parts.parameters.filter((name) => !isPathValue(given[name]));
  return [
    ...unknown.map((name) => `${name} is no argument of ${tool.operation.id}`),
    ...missing.map((name) => `${name} must be given`),
    ...findMalformed(tool, given),
  ];
}

/** A word in place of an id would be the path of another operation, and a key is sent as a header. The service validates the rest. */
function findMalformed(
  { inputSchema: { properties = {} }, parts }: OperationTool,
  given: Readonly<Record<string, unknown>>,
): string[] {
  const issues = parts.parameters
    .filter((name) => (properties[name] as { format?: string } | undefined)?.format === 'uuid')
    .filter((name) => isPathValue(given[name]) && !uuidForm.test(String(given[name])))
    .map((name) => `${name} must be a UUID`);
  const key = given[idempotencyKeyName];
  const isKey = key === undefined || (typeof key === 'string' && /^[\x21-\x7e]+$/.test(key));
  return isKey ? issues : [...issues, `${idempotencyKeyName} must be text of visible ASCII characters`];
}

/** Distributes the arguments of a call over path, query and body. The service validates them. */
export function toOperationRequest(
  { operation, parts }: OperationTool,
  given: Readonly<Record<string, unknown>>,
  idempotencyKey: string,
): OperationRequest {
  const { method, path } = operation;
  const filled = path.replaceAll(/\{(\w+)\}/g, (_match, name: string) =>
    encodeURIComponent(String(given[name])),
  );
  const query = new URLSearchParams(parts.fixedQuery);
  for (const name of parts.query) {
    const value = given[name];
    if (value !== undefined && value !== null) query.set(name, toQueryText(value));
  }
  const body = Object.fromEntries(
    parts.body.filter((name) => given[name] !== undefined).map((name) => [name, given[name]]),
  );
  return {
    method,
    target: query.size > 0 ? `${filled}?${query}` : filled,
    idempotencyKey: takesIdempotencyKey(operation)
      ? String(given[idempotencyKeyName] ?? idempotencyKey)
      : null,
    body: method === 'GET' || !operation.body ? null : body,
  };
}

/** An empty segment would be another path. */
function isPathValue(value: unknown): boolean {
  return (typeof value === 'string' && value !== '') || typeof value === 'number';
}

function toQueryText(value: unknown): string {
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}
