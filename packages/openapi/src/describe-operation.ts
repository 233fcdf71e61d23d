import type { OpenApiOperation, OpenApiParameter } from '@keyfront/api-reference';
import { type Operation, SuccessEnvelope, scopesOf, success, takesIdempotencyKey } from '@keyfront/protocol';
import type { TObject } from 'typebox';
import { describeSamples } from './code-samples/describe-samples.ts';
import { idempotencyKeyParameter, rateLimitHeaders, referToHeaders, securityByAccess } from './components.ts';
import { describeErrors } from './describe-errors.ts';
import type { SchemaComponents } from './schema-components.ts';
import type { CompileValidator } from './validation-example.ts';

/** Describes one operation of the document. */
export function describeOperation(
  operation: Operation,
  schemas: SchemaComponents,
  baseUrl: string,
  compileValidator: CompileValidator,
): OpenApiOperation {
  const { body, upload, deprecated, example } = operation;
  const scopes = scopesOf(operation);
  const parameters = [
    ...describeParameters('path', operation.parameters, example.parameters, schemas),
    ...describeParameters('query', operation.query, example.query, schemas),
    ...(takesIdempotencyKey(operation) ? [idempotencyKeyParameter] : []),
  ];
  return {
    operationId: operation.id,
    tags: [operation.tag],
    summary: operation.summary,
    description: [
      operation.description ?? `${operation.summary}.`,
      ...describeRetry(operation),
      ...describeScopes(scopes),
    ].join('\n\n'),
    ...(scopes.length === 0 ? {} : { 'x-scopes': scopes }),
    security: securityByAccess[operation.access],
    ...(deprecated ? { deprecated: true } : {}),
    ...(parameters.length > 0 ? { parameters } : {}),
    ...(body && {
      requestBody: {
        required: needsFields(body),
        content: {
          'application/json': {
            schema: schemas.reference({ ...body, additionalProperties: false } as TObject),
            example: example.body,
          },
        },
      },
    }),
    ...(upload && { requestBody: describeUpload(upload) }),
    responses: {
      ...describeSuccess(operation, schemas),
      ...describeErrors(operation, schemas, compileValidator),
    },
    'x-codeSamples': describeSamples(operation, baseUrl),
  };
}

/** Whether an empty object is refused. A missing body is read as one. */
function needsFields(body: TObject): boolean {
  const {
    required,
    minProperties = 0,
    anyOf,
  } = body as TObject & { minProperties?: number; anyOf?: unknown };
  return (required?.length ?? 0) > 0 || minProperties > 0 || anyOf !== undefined;
}

function describeRetry({ retry }: Operation): string[] {
  if (retry !== 'never') return [];
  return [
    'The response is not stored: an `Idempotency-Key` has no effect, and a repeated request is executed again.',
  ];
}

function describeScopes(scopes: readonly string[]): string[] {
  if (scopes.length === 0) return [];
  const names = scopes.map((scope) => `\`${scope}\``).join(' and ');
  return [`An API key needs the ${scopes.length === 1 ? 'scope' : 'scopes'} ${names}.`];
}

function describeUpload({ contentTypes, description }: NonNullable<Operation['upload']>) {
  // In OpenAPI 3.1, content without a schema is the file itself.
  const content = Object.fromEntries(contentTypes.map((type) => [type, {}]));
  return { required: true, description, content };
}

function describeParameters(
  place: 'path' | 'query',
  schema: TObject | undefined,
  example: Readonly<Record<string, unknown>> = {},
  schemas: SchemaComponents,
): OpenApiParameter[] {
  if (!schema) return [];
  const required = new Set<string>(schema.required);
  return Object.entries(schema.properties).map(([name, property]) => {
    // A parameter describes itself; its schema need not repeat that.
    const { description = name, ...rest } = property as TObject & { description?: string };
    return {
      name,
      in: place,
      required: place === 'path' || required.has(name),
      description,
      schema: schemas.reference(rest as TObject),
      ...(example[name] === undefined ? {} : { example: example[name] }),
    };
  });
}

function describeSuccess(operation: Operation, schemas: SchemaComponents): Record<string, object> {
  const { status, access, file, page, stream, example, response } = operation;
  return {
    [status]: {
      description: status === 201 ? 'Created' : 'Success',
      headers: referToHeaders(
        'x-request-id',
        ...rateLimitHeaders,
        ...(takesIdempotencyKey(operation) ? ['idempotent-replayed'] : []),
        ...(operation.deprecated ? ['deprecation'] : []),
        ...(file ? ['content-disposition'] : []),
      ),
      content: {
        ...(page
          ? { 'text/html': { schema: { type: 'string', description: page.description } } }
          : {
              'application/json': {
                schema: schemas.reference(SuccessEnvelope(status, response)),
                example: success(status, example.response),
              },
            }),
        ...(file && access !== 'public'
          ? { [file.contentType]: { schema: { type: 'string', description: file.description } } }
          : {}),
        ...(stream && {
          [stream.contentType]: { schema: { type: 'string', description: stream.description } },
        }),
      },
    },
  };
}
