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
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly schema: Schema }>> };
}

interface Schema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly enum?: readonly (string | number | null)[];
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
  readonly description: string;
  /** Null if any value is possible. */
  readonly values: readonly string[] | null;
}

export interface ExplorerOperation {
  readonly id: string;
  readonly tag: string;
  readonly summary: string;
  readonly description: string;
  readonly method: string;
  /** Relative to `/api/v1`. */
  readonly path: string;
  readonly fields: readonly ExplorerField[];
}

const prefix = '/api/v1';

/** The operations of the document that send and receive JSON, with their inputs. */
export function readOperations(document: OpenApi): ExplorerOperation[] {
  return Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods)
      .filter(([, { requestBody }]) => !requestBody || requestBody.content['application/json'])
      .map(([method, operation]) => ({
        id: operation.operationId,
        tag: operation.tags[0] ?? '',
        summary: operation.summary,
        description: operation.description ?? '',
        method: method.toUpperCase(),
        path: path.slice(prefix.length),
        fields: readFields(document, operation),
      })),
  );
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

function describe(document: OpenApi, schema: Schema): Pick<ExplorerField, 'kind' | 'values'> {
  const resolved = resolve(document, schema);
  const alternatives = [resolved, ...(resolved.anyOf ?? []).map((each) => resolve(document, each))];
  const types = alternatives.flatMap(({ type }) => type ?? []);
  const values = resolved.enum?.filter((value) => value !== null).map(String) ?? null;
  // A text first: the API takes amounts as texts too, and a text is sent as it was entered.
  if (types.includes('string')) return { kind: 'text', values };
  if (types.includes('integer') || types.includes('number')) return { kind: 'number', values };
  if (types.includes('boolean')) return { kind: 'boolean', values: ['true', 'false'] };
  return { kind: 'json', values: null };
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
