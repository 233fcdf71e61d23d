/** The part of an OpenAPI document that requests are made from. */
export interface OpenApiDocument {
  readonly components?: { readonly schemas?: Readonly<Record<string, BodySchema>> };
  readonly paths: Readonly<Record<string, Readonly<Record<string, DocumentedOperation>>>>;
}

interface DocumentedOperation {
  readonly operationId: string;
  readonly security?: readonly Readonly<Record<string, unknown>>[];
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: {
    readonly content: Readonly<Record<string, { readonly schema?: BodySchema; readonly example?: unknown }>>;
  };
}

interface BodySchema {
  readonly $ref?: string;
  readonly type?: unknown;
  readonly properties?: Readonly<Record<string, BodySchema>>;
}

export interface Parameter {
  readonly name: string;
  readonly in: string;
  readonly required?: boolean;
  readonly example?: unknown;
  readonly schema: ParameterSchema;
}

interface ParameterSchema {
  readonly type?: string | readonly string[];
  readonly enum?: readonly unknown[];
  readonly default?: unknown;
  readonly format?: string;
  /** The parameter that this one is another name of. */
  readonly 'x-alias-of'?: string;
}

/** One operation, as the fuzzer sees it. */
export interface FuzzedOperation {
  readonly id: string;
  readonly method: string;
  /** With `{name}` for parameters. */
  readonly path: string;
  readonly takesSignature: boolean;
  readonly takesToken: boolean;
  readonly isForAdministrators: boolean;
  readonly queryParameters: readonly Parameter[];
  /** A valid body; undefined if the operation takes none. */
  readonly bodyExample: unknown;
  /** A field of the body that is a list; undefined if there is none. */
  readonly listField?: string | undefined;
}

/** Lists the operations of an OpenAPI document. */
export function listOperations({ paths, components }: OpenApiDocument): FuzzedOperation[] {
  const resolve = (schema: BodySchema | undefined) =>
    schema?.$ref ? components?.schemas?.[schema.$ref.split('/').at(-1) ?? ''] : schema;
  const findList = (schema: BodySchema | undefined) =>
    Object.entries(resolve(schema)?.properties ?? {}).find(
      ([, field]) => resolve(field)?.type === 'array',
    )?.[0];
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]): FuzzedOperation => {
      const { operationId, security = [], parameters = [], requestBody } = operation;
      const schemes = security.flatMap((requirement) => Object.keys(requirement));
      return {
        id: operationId,
        method: method.toUpperCase(),
        path,
        takesSignature: schemes.includes('signature'),
        takesToken: schemes.includes('jwt'),
        isForAdministrators: path.includes('/admin/'),
        queryParameters: parameters.filter((parameter) => parameter.in === 'query'),
        bodyExample: requestBody?.content['application/json']?.example,
        listField: findList(requestBody?.content['application/json']?.schema),
      };
    }),
  );
}
