/** The part of an OpenAPI document that the explorer reads. */
export interface OpenApi {
  readonly paths: Readonly<Record<string, Readonly<Record<string, OpenApiOperation>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> };
}

interface OpenApiOperation {
  readonly operationId: string;
  readonly tags: readonly string[];
  readonly summary: string;
  readonly description?: string;
  readonly parameters?: readonly {
    readonly name: string;
    readonly in: 'path' | 'query' | 'header';
    readonly required?: boolean;
    readonly description?: string;
    readonly schema: Schema;
  }[];
  readonly security?: readonly Readonly<Record<string, unknown>>[];
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly schema: Schema }>> };
}

interface Schema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly enum?: readonly (string | number | null)[];
  readonly pattern?: string;
  readonly minLength?: number;
  readonly description?: string;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly allOf?: readonly Schema[];
  readonly anyOf?: readonly Schema[];
}

/** One input of an operation. */
export interface ExplorerField {
  readonly name: string;
  readonly place: 'path' | 'query' | 'body';
  /** `json` for everything that is no single value. */
  readonly kind: 'text' | 'number' | 'boolean' | 'json';
  readonly isRequired: boolean;
  /** Whether an empty text is a value that the API takes. */
  readonly canBeEmpty: boolean;
  readonly description: string;
  /** Null if any value is possible. */
  readonly values: readonly string[] | null;
}

/** What an operation wants to know of its caller: nothing, a session or an API key, or the secret of a provider. */
export type ExplorerAccess = 'public' | 'credential' | 'provider';

export interface ExplorerOperation {
  readonly id: string;
  readonly tag: string;
  readonly summary: string;
  readonly description: string;
  readonly method: string;
  /** Relative to `/api/v1`. */
  readonly path: string;
  readonly access: ExplorerAccess;
  /** The type of its body. Null without one. */
  readonly contentType: string | null;
  /** Whether a request should have a key by which the service recognises its repetition. */
  readonly takesIdempotencyKey: boolean;
  readonly fields: readonly ExplorerField[];
}

const prefix = '/api/v1';

/** The operations of the document, with their inputs. */
export function readOperations(document: OpenApi): ExplorerOperation[] {
  return Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({
      id: operation.operationId,
      tag: operation.tags[0] ?? '',
      summary: operation.summary,
      description: operation.description ?? '',
      method: method.toUpperCase(),
      path: path.slice(prefix.length),
      access: readAccess(operation),
      contentType: readContentType(operation),
      takesIdempotencyKey: (operation.parameters ?? []).some(
        ({ in: place, name }) => place === 'header' && name === 'Idempotency-Key',
      ),
      fields: readFields(document, operation),
    })),
  );
}

function readAccess({ security = [] }: OpenApiOperation): ExplorerAccess {
  const schemes = security.flatMap((each) => Object.keys(each));
  if (schemes.length === 0) return 'public';
  return schemes.includes('webhookSignature') ? 'provider' : 'credential';
}

/** Whether the body is a file, which a form of fields cannot describe. */
export function takesFile({ contentType }: Pick<ExplorerOperation, 'contentType'>): boolean {
  return contentType !== null && contentType !== 'application/json';
}

function readContentType({ requestBody }: OpenApiOperation): string | null {
  if (!requestBody) return null;
  const types = Object.keys(requestBody.content);
  return types.find((type) => type === 'application/json') ?? types[0] ?? null;
}

function readFields(document: OpenApi, operation: OpenApiOperation): ExplorerField[] {
  const parameters = (operation.parameters ?? []).flatMap(
    ({ name, in: place, required = false, description = '', schema }): ExplorerField[] =>
      place === 'header'
        ? []
        : [{ name, place, isRequired: required, description, ...describe(document, schema) }],
  );
  const body = operation.requestBody?.content['application/json']?.schema;
  const { properties = {}, required = [] } = body ? resolve(document, body) : {};
  const fields = Object.entries(properties).map(
    ([name, schema]): ExplorerField => ({
      name,
      place: 'body',
      isRequired: required.includes(name),
      description: resolve(document, schema).description ?? '',
      ...describe(document, schema),
    }),
  );
  return [...parameters, ...fields];
}

function describe(document: OpenApi, schema: Schema): Pick<ExplorerField, 'kind' | 'values' | 'canBeEmpty'> {
  const resolved = resolve(document, schema);
  const alternatives = [resolved, ...(resolved.anyOf ?? []).map((each) => resolve(document, each))];
  const types = alternatives.flatMap(({ type }) => type ?? []);
  const values = resolved.enum?.filter((value) => value !== null && value !== '').map(String) ?? null;
  const canBeEmpty = types.includes('string') && allowsEmptyText(resolved);
  // A text first: the API takes amounts as texts too, and a text is sent as it was entered.
  if (types.includes('string')) return { kind: 'text', values, canBeEmpty };
  if (types.includes('integer') || types.includes('number')) return { kind: 'number', values, canBeEmpty };
  if (types.includes('boolean')) return { kind: 'boolean', values: ['true', 'false'], canBeEmpty };
  return { kind: 'json', values: null, canBeEmpty };
}

function allowsEmptyText({ enum: values, pattern, minLength = 0 }: Schema): boolean {
  if (values) return values.includes('');
  return minLength === 0 && (pattern === undefined || new RegExp(pattern, 'u').test(''));
}

/** Follows references, and merges the parts of a schema that is made of several. */
function resolve(document: OpenApi, schema: Schema): Schema {
  const target = schema.$ref ? document.components.schemas[schema.$ref.split('/').at(-1) ?? ''] : schema;
  if (!target) return {};
  if (!target.allOf) return target;
  const parts = target.allOf.map((part) => resolve(document, part));
  return {
    ...target,
    properties: Object.assign({}, ...parts.map(({ properties }) => properties ?? {}), target.properties),
    required: parts.flatMap(({ required = [] }) => required),
  };
}
