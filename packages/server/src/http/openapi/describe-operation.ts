import type { CodeSample, OpenApiOperation, OpenApiParameter } from '@keyfront/api-reference';
import {
  AuthenticationErrorEnvelope,
  bodyLimitOf,
  describeBodyLimit,
  type ErrorCode,
  ErrorEnvelope,
  errorCodes,
  errorCodesOf,
  errorTable,
  failure,
  type Operation,
  payloadMismatch,
  SuccessEnvelope,
  scopesOf,
  signatureIssues,
  signingMistakes,
  success,
  takesIdempotencyKey,
  ValidationErrorEnvelope,
} from '@keyfront/protocol';
import type { TObject } from 'typebox';
import { callbackSample } from './code-samples/callback-sample.ts';
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
        required: true,
        content: {
          'application/json': {
            schema: schemas.reference({ ...body, additionalProperties: false } as TObject),
            example: example.body,
          },
        },
      },
    }),
    ...(upload && { requestBody: describeUpload(upload) }),
    responses: { ...describeSuccess(operation, schemas), ...describeErrors(operation, schemas) },
    'x-codeSamples': describeSamples(operation, baseUrl),
  };
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

function describeSamples(operation: Operation, baseUrl: string): CodeSample[] {
  const { access, provider, path, example } = operation;
  if (access !== 'provider') return makeCodeSamples(sampleOf(operation, access, baseUrl));
  const secretSetting = `${provider}_CALLBACK_SECRET`;
  const source = callbackSample({ path, baseUrl, body: example.body, secretSetting });
  return [{ lang: 'TypeScript', label: 'Node.js', source }];
}

function sampleOf(operation: Operation, access: SampleOperation['access'], baseUrl: string): SampleOperation {
  const { method, path, sdk, example } = operation;
  const { response: _response, ...request } = example;
  // The examples are validated against the schemas of the operation, so they hold what a request can hold.
  return {
    method,
    path,
    access,
    ...(sdk === undefined ? {} : { sdk }),
    baseUrl,
    takesIdempotencyKey: takesIdempotencyKey(operation),
    ...(operation.upload && { file: 'image.png' }),
    ...(request as Partial<SampleOperation>),
  };
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
  const { status, access, file, stream, example, response } = operation;
  return {
    [status]: {
      description: status === 201 ? 'Created' : 'Success',
      headers: headersOf(
        'x-request-id',
        ...rateLimitHeaders,
        ...(takesIdempotencyKey(operation) ? ['idempotent-replayed'] : []),
        ...(operation.deprecated ? ['deprecation'] : []),
        ...(file ? ['content-disposition'] : []),
      ),
      content: {
        'application/json': {
          schema: schemas.reference(SuccessEnvelope(status, response)),
          example: success(status, example.response),
        },
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

/** One response for each status, with an example for each code. */
function describeErrors(operation: Operation, schemas: SchemaComponents): Record<string, object> {
  const codesByStatus = new Map<number, ErrorCode[]>();
  for (const code of errorCodesOf(operation)) {
    const { status } = errorTable[code];
    codesByStatus.set(status, [...(codesByStatus.get(status) ?? []), code]);
  }
  return Object.fromEntries(
    [...codesByStatus].map(([status, codes]) => {
      const shared = sharedResponses[status];
      return [
        status,
        shared
          ? { $ref: `#/components/responses/${shared}` }
          : describeError(operation, status, codes, schemas),
      ];
    }),
  );
}

/** Responses that are the same for every operation, because they come before the operation is known: their components. */
const sharedResponses: Readonly<Record<number, string>> = {
  408: 'RequestTimeout',
  417: 'ExpectationFailed',
  431: 'HeadersTooLarge',
};

/** Describes the responses that operations refer to. */
export function describeSharedResponses(schemas: SchemaComponents): Record<string, object> {
  return Object.fromEntries(
    Object.entries(sharedResponses).map(([status, name]) => {
      const codes = errorCodes.filter((code) => errorTable[code].status === Number(status));
      return [name, describeError(null, Number(status), codes, schemas)];
    }),
  );
}

/** Without an operation, the response is one of those that come before it is known. */
function describeError(
  operation: Operation | null,
  status: number,
  codes: readonly ErrorCode[],
  schemas: SchemaComponents,
): object {
  const ordinary = codes.includes('VALIDATION_FAILED') ? ValidationErrorEnvelope : ErrorEnvelope;
  const envelope = status === 401 ? AuthenticationErrorEnvelope : ordinary;
  return {
    description: statusDescriptions[status] ?? 'Error',
    headers: headersOf('x-request-id', ...(headersByStatus[status] ?? [])),
    content: {
      'application/json': {
        schema: schemas.reference(envelope),
        examples: Object.fromEntries(
          codes.map((code) => {
            const value = errorExample(operation, code);
            return [code, { summary: value.message, value }];
          }),
        ),
      },
    },
  };
}

function errorExample(operation: Operation | null, code: ErrorCode): ReturnType<typeof failure> {
  if (!operation) return failure(code);
  if (code === 'VALIDATION_FAILED') return failure(code, undefined, validationExample(operation));
  if (code === 'PAYLOAD_TOO_LARGE') return failure(code, describeBodyLimit(bodyLimitOf(operation)));
  // Routes that accept only a JWT say it in one word, whatever is wrong with the credential.
  if (errorTable[code].status === 401) {
    const message = operation.access === 'credential' ? 'User is not authorized' : 'Unauthorized';
    return failure(code, message, null, reasonExamples[code] ?? 'the reason');
  }
  return failure(code);
}

const mismatch = `x-auth-signature ${payloadMismatch}: {} (2 bytes, SHA-256 ...)`;
const queryMismatch = `x-auth-signature ${payloadMismatch}: page=1&take=5 (13 bytes, SHA-256 ...)`;
const bodyMismatch = `x-auth-signature ${payloadMismatch}: {"clientId":"42"} (17 bytes, SHA-256 ...)`;

/** A reason for each code of a 401. */
const reasonExamples: Readonly<Partial<Record<ErrorCode, string>>> = {
  CREDENTIALS_MISSING: 'x-auth-apikey is missing; x-auth-signature is missing',
  API_KEY_MALFORMED: 'x-auth-apikey must be Base64 of a PEM public key: it is not Base64',
  SIGNATURE_MALFORMED: `x-auth-signature ${signatureIssues.notBase64}`,
  SIGNATURE_IS_HMAC: `x-auth-signature ${signatureIssues.hmac}`,
  SIGNED_EMPTY_STRING: `${mismatch}; ${signingMistakes.emptyText}`,
  SIGNED_BRACES_OVER_QUERY: `${queryMismatch}; ${signingMistakes.emptyObjectForQuery}`,
  SIGNED_PATH: `${mismatch}; ${signingMistakes.path}`,
  SIGNED_DECODED_QUERY: `${queryMismatch}; ${signingMistakes.decodedQuery}`,
  SIGNED_REORDERED_QUERY: `${queryMismatch}; ${signingMistakes.reorderedQuery}`,
  SIGNED_OTHER_JSON: `${bodyMismatch}; ${signingMistakes.otherJson}`,
  SIGNED_OTHER_HASH: `${mismatch}; ${signingMistakes.otherHash('SHA-512')}`,
  SIGNATURE_INVALID: mismatch,
  API_KEY_UNKNOWN: 'the signature is valid, but its key is not known here or was revoked',
  API_KEY_EXPIRED: 'the key has expired at 2026-01-01T00:00:00.000Z',
  BOUND_SIGNATURE_REQUIRED:
    'this key is accepted only with signatures that are bound to their request (RFC 9421)',
  TOKEN_INVALID: 'the token has expired: sign in again',
  TOKEN_REQUIRED: 'this route accepts only a JWT: sign in with the wallet and send Authorization: Bearer',
  SIGN_IN_FAILED: 'the signature does not match the address of the message',
  CALLBACK_EXPIRED: 'webhook-timestamp must be within five minutes of the time here',
};

const statusDescriptions: Readonly<Record<number, string>> = {
  400: 'The request violates a rule. `data` lists the violations; it is null if the request is not valid HTTP.',
  401: 'The credentials are missing or not accepted. `code` and `reason` say why.',
  403: 'The caller may not do this, or the state of the resource does not permit it. `code` says why.',
  404: 'The resource does not exist.',
  408: 'The request took too long to arrive.',
  409: 'The request conflicts with an existing resource, or with a request that is still running.',
  410: 'The response that was stored for the `Idempotency-Key` was erased with its client.',
  413: 'The body is too large.',
  415: 'The type of the body is not one that the operation accepts.',
  417: 'The `Expect` header is not `100-continue`.',
  422: 'The `Idempotency-Key` was used for another request.',
  429: 'Too many requests. Try again after `Retry-After` seconds.',
  431: 'The request line and headers are too large.',
  500: 'Unexpected error.',
  503: 'The service is unavailable or overloaded. Try again after `Retry-After` seconds.',
};

const rateLimitHeaders = ['ratelimit', 'ratelimit-policy'];

/** Every error of a request that was counted has the headers of its rate limit. */
const headersByStatus: Readonly<Record<number, readonly string[]>> = {
  400: rateLimitHeaders,
  401: ['www-authenticate'],
  403: rateLimitHeaders,
  404: rateLimitHeaders,
  409: ['retry-after', ...rateLimitHeaders],
  410: rateLimitHeaders,
  415: rateLimitHeaders,
  422: rateLimitHeaders,
  429: ['retry-after', ...rateLimitHeaders],
  500: rateLimitHeaders,
  503: ['retry-after', ...rateLimitHeaders],
};

function headersOf(...names: string[]): Record<string, object> {
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));
}
