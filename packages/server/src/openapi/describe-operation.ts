import type { OpenApiOperation, OpenApiParameter } from '@keyfront/api-reference';
import {
  type ErrorCode,
  ErrorEnvelope,
  errorCodesOf,
  errorTable,
  failure,
  type Operation,
  SuccessEnvelope,
  success,
  takesIdempotencyKey,
  ValidationErrorEnvelope,
} from '@keyfront/protocol';
import type { TObject } from 'typebox';
import { makeCodeSamples } from './code-samples/code-samples.ts';
import type { SampleOperation } from './code-samples/sample-operation.ts';
import { idempotencyKeyParameter, securityByAccess } from './components.ts';
import type { SchemaComponents } from './schema-components.ts';
import { validationExample } from './validation-example.ts';

/** Describes one operation of the document. */
export function describeOperation(
  operation: Operation,
  schemas: SchemaComponents,
  baseUrl: string,
): OpenApiOperation {
  const { description, body, deprecated, example } = operation;
  const parameters = [
    ...describeParameters('path', operation.parameters, example.parameters, schemas),
    ...describeParameters('query', operation.query, example.query, schemas),
    ...(takesIdempotencyKey(operation) ? [idempotencyKeyParameter] : []),
  ];
  return {
    operationId: operation.id,
    tags: [operation.tag],
    summary: operation.summary,
    description: description ?? `${operation.summary}.`,
    security: securityByAccess[operation.access],
    ...(deprecated ? { deprecated: true } : {}),
    ...(parameters.length > 0 ? { parameters } : {}),
    ...(body && {
      requestBody: {
        required: true,
        content: { 'application/json': { schema: schemas.reference(body), example: example.body } },
      },
    }),
    responses: { ...describeSuccess(operation, schemas), ...describeErrors(operation, schemas) },
    'x-codeSamples': makeCodeSamples(sampleOf(operation, baseUrl)),
  };
}

function sampleOf({ method, path, access, sdk, example }: Operation, baseUrl: string): SampleOperation {
  const { response: _response, ...request } = example;
  // The examples are validated against the schemas of the operation, so they hold what a request can hold.
  return { method, path, access, sdk, baseUrl, ...(request as Partial<SampleOperation>) };
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
  const { status, access, file, example, response } = operation;
  return {
    [status]: {
      description: status === 201 ? 'Created' : 'Success',
      headers: headersOf(
        'x-request-id',
        ...rateLimitHeaders,
        ...(takesIdempotencyKey(operation) ? ['idempotent-replayed'] : []),
        ...(operation.deprecated ? ['deprecation'] : []),
      ),
      content: {
        'application/json': {
          schema: schemas.reference(SuccessEnvelope(status, response)),
          example: success(status, example.response),
        },
        ...(file && access !== 'public'
          ? { [file.contentType]: { schema: { type: 'string', description: file.description } } }
          : {}),
      },
    },
  };
}

/** One response for each status, with an example for each code. */
function describeErrors(operation: Operation, schemas: SchemaComponents): Record<string, object> {
  const codesByStatus = new Map<number, ErrorCode[]>();
  for (const code of errorCodesOf(operation)) {
    const { status } = errorTable[code];
    codesByStatus.set(status, [...(codesByStatus.get(status) ?? []), code]);
  }
  return Object.fromEntries(
    [...codesByStatus].map(([status, codes]) => [status, describeError(operation, status, codes, schemas)]),
  );
}

function describeError(
  operation: Operation,
  status: number,
  codes: readonly ErrorCode[],
  schemas: SchemaComponents,
): object {
  const envelope = codes.includes('VALIDATION_FAILED') ? ValidationErrorEnvelope : ErrorEnvelope;
  return {
    description: statusDescriptions[status] ?? 'Error',
    headers: headersOf('x-request-id', ...(headersByStatus[status] ?? [])),
    content: {
      'application/json': {
        schema: schemas.reference(envelope),
        examples: Object.fromEntries(
          codes.map((code) => [
            code,
            { summary: errorTable[code].message, value: errorExample(operation, code) },
          ]),
        ),
      },
    },
  };
}

function errorExample(operation: Operation, code: ErrorCode): object {
  if (code === 'VALIDATION_FAILED') return failure(code, undefined, validationExample(operation));
  // Routes that accept only a JWT say it in one word, whatever is wrong with the credential.
  if (errorTable[code].status === 401) {
    return failure(code, operation.access === 'credential' ? 'User is not authorized' : 'Unauthorized');
  }
  return failure(code);
}

const statusDescriptions: Readonly<Record<number, string>> = {
  400: 'The request violates a rule. `data` lists the violations; it is null if the request is not valid HTTP.',
  401: 'The credentials are missing or not accepted. `WWW-Authenticate` says why.',
  403: 'The caller may not do this, or the state of the resource does not permit it. `code` says why.',
  404: 'The resource does not exist.',
  409: 'The request conflicts with another one.',
  413: 'The body is too large.',
  415: 'The body is not `application/json`.',
  422: 'The `Idempotency-Key` was used for another request.',
  429: 'Too many requests. Try again after `Retry-After` seconds.',
  431: 'The request line and headers are too large.',
  500: 'Unexpected error.',
  503: 'The service is unavailable or overloaded. Try again after `Retry-After` seconds.',
};

const rateLimitHeaders = ['ratelimit', 'ratelimit-policy'];

const headersByStatus: Readonly<Record<number, readonly string[]>> = {
  401: ['www-authenticate'],
  409: ['retry-after'],
  429: ['retry-after', ...rateLimitHeaders],
  503: ['retry-after'],
};

function headersOf(...names: string[]): Record<string, object> {
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));
}
