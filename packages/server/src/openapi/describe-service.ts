import type { OpenApiDocument, OpenApiOperation, OpenApiParameter } from '@keyfront/api-reference';
import {
  type ErrorCode,
  ErrorEnvelope,
  errorTable,
  failure,
  SuccessEnvelope,
  success,
  ValidationErrorEnvelope,
} from '@keyfront/protocol';
import type { TObject } from 'typebox';
import { type Operation, versionPrefix } from '../pipeline/router.ts';

export interface OpenApiOptions {
  readonly operations: readonly Operation[];
  /** The base address with the version prefix, as callers reach it. */
  readonly baseUrl: string;
  readonly stagingUrl: string | null;
}

const tags: Readonly<Record<string, string>> = {
  'Sign-in': 'How a wallet gets its token: ask for a nonce, sign the message, hand it in.',
  Keys: 'The keys that sign requests. Made and revoked by a signed-in wallet.',
  Holder: 'Who is signed in, and for which digital key.',
  Clients: 'The people a storefront sells to. They belong to a digital key.',
  Carts: 'What a client is about to order. A cart reserves nothing.',
  Orders: 'From the cart to the delivered order, and what became of all of them.',
  Sales: 'The sales pipeline of a digital key: leads, ongoing, closed.',
  Marketplace: 'Digital keys for sale by signature, and what became of them on the chain.',
  Catalogue: 'Planets and strains: what a storefront shows. The same for every holder.',
  Administration: 'For the administrators of the platform, signed in with `type` `admin`.',
  Service: 'About the service itself.',
};

/** Describes the service from the very operations that validate and serialise. */
export function describeService({ operations, baseUrl, stagingUrl }: OpenApiOptions): OpenApiDocument {
  const paths: Record<string, Record<string, OpenApiOperation>> = {};
  for (const operation of operations) {
    const path = versionPrefix + operation.path.replaceAll(/:(\w+)/g, '{$1}');
    paths[path] = { ...paths[path], [operation.method.toLowerCase()]: describeOperation(operation) };
  }
  const used = new Set(operations.map(({ tag }) => tag));
  return {
    openapi: '3.1.0',
    info: {
      title: 'Keyfront',
      version: '1.0.0',
      'x-deploy-version': '1.0',
      summary: 'Storefronts for holders of digital-key tokens',
      description:
        'Every answer is wrapped in an envelope of `success`, `statusCode`, `message` and `data`. The paths are ' +
        'relative to the server address, which carries the version prefix too; each is also served without the ' +
        'doubling, as `/api/v1/…`.',
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [
      { url: baseUrl, description: 'This service' },
      ...(stagingUrl ? [{ url: stagingUrl, description: 'Staging, available at times' }] : []),
    ],
    tags: Object.entries(tags)
      .filter(([name]) => used.has(name))
      .map(([name, description]) => ({ name, description })),
    paths,
    components: {
      securitySchemes,
      schemas: { Error: ErrorEnvelope, ValidationError: ValidationErrorEnvelope },
    },
  };
}

const securitySchemes = {
  apiKey: {
    type: 'apiKey',
    in: 'header',
    name: 'x-auth-apikey',
    description:
      'The public key: Base64 of its PEM (SPKI, secp256k1). Goes together with `x-auth-signature`.',
  },
  signature: {
    type: 'apiKey',
    in: 'header',
    name: 'x-auth-signature',
    description:
      'Base64 of the ECDSA signature (secp256k1, SHA-256) of the canonical payload: the body of a POST, PATCH or PUT; ' +
      'the query string of a GET or DELETE; `{}` where there is neither.',
  },
  jwt: {
    type: 'http',
    scheme: 'bearer',
    bearerFormat: 'JWT',
    description: 'The token of a signed-in wallet.',
  },
};

const securityByAccess = {
  public: [],
  credential: [{ apiKey: [], signature: [] }, { jwt: [] }],
  jwt: [{ jwt: [] }],
  administrator: [{ jwt: [] }],
} satisfies Record<Operation['access'], OpenApiOperation['security']>;

function describeOperation(operation: Operation): OpenApiOperation {
  const { status = 200, description, body } = operation;
  const parameters = [
    ...describeParameters('path', operation.parameters),
    ...describeParameters('query', operation.query),
    ...(isIdempotent(operation) ? [idempotencyKeyParameter] : []),
  ];
  return {
    operationId: operation.id,
    tags: [operation.tag],
    summary: operation.summary,
    ...(description ? { description } : {}),
    security: securityByAccess[operation.access],
    ...(parameters.length > 0 ? { parameters } : {}),
    ...(body ? { requestBody: { required: true, content: { 'application/json': { schema: body } } } } : {}),
    responses: {
      [status]: {
        description: 'Success',
        headers: responseHeaders,
        content: {
          'application/json': {
            schema: SuccessEnvelope(operation.answer),
            example: success(status, operation.example),
          },
          ...(operation.file ? { [operation.file.contentType]: { schema: { type: 'string' } } } : {}),
        },
      },
      ...Object.fromEntries(
        possibleErrors(operation).map((code) => [errorTable[code].status, describeError(code)]),
      ),
    },
  };
}

function describeParameters(place: 'path' | 'query', schema: TObject | undefined): OpenApiParameter[] {
  if (!schema) return [];
  const required = new Set<string>(schema.required);
  return Object.entries(schema.properties).map(([name, property]) => ({
    name,
    in: place,
    required: place === 'path' || required.has(name),
    description: 'description' in property ? String(property.description) : '',
    schema: property,
  }));
}

function isIdempotent({ method, access }: Operation): boolean {
  return method === 'POST' && access !== 'public';
}

const idempotencyKeyParameter: OpenApiParameter = {
  name: 'Idempotency-Key',
  in: 'header',
  required: false,
  description:
    'Makes it safe to send this again: the same key with the same request gives the first answer, for 24 hours',
  schema: { type: 'string', minLength: 1, maxLength: 255 },
};

/** Which errors an operation can answer with follows from what it takes and whom it admits. */
function possibleErrors(operation: Operation): ErrorCode[] {
  const { access, parameters, query, body, errors = [] } = operation;
  const codes: ErrorCode[] = [...errors];
  if (parameters || query || body) codes.push('VALIDATION_FAILED');
  if (access === 'credential') codes.push('CREDENTIAL_REFUSED');
  if (access === 'jwt' || access === 'administrator') codes.push('TOKEN_REFUSED');
  if (access !== 'public') codes.push('FORBIDDEN');
  if (parameters) codes.push('NOT_FOUND');
  if (body) codes.push('PAYLOAD_TOO_LARGE', 'UNSUPPORTED_MEDIA_TYPE');
  if (isIdempotent(operation)) codes.push('IDEMPOTENCY_CONFLICT', 'IDEMPOTENCY_KEY_REUSED');
  codes.push('TOO_MANY_REQUESTS', 'HEADERS_TOO_LARGE', 'INTERNAL', 'UNAVAILABLE');
  return codes;
}

function describeError(code: ErrorCode): object {
  const { status, message } = errorTable[code];
  const isValidation = code === 'VALIDATION_FAILED';
  return {
    description: message,
    headers:
      code === 'UNAVAILABLE' || code === 'TOO_MANY_REQUESTS' || code === 'IDEMPOTENCY_CONFLICT'
        ? { ...responseHeaders, ...retryAfterHeader }
        : responseHeaders,
    content: {
      'application/json': {
        schema: { $ref: `#/components/schemas/${isValidation ? 'ValidationError' : 'Error'}` },
        example: failure(status, message, isValidation ? ['page must not be less than 1'] : null),
      },
    },
  };
}

const responseHeaders = {
  'x-request-id': { description: 'Names this request in the logs', schema: { type: 'string' } },
};
const retryAfterHeader = {
  'retry-after': { description: 'Seconds after which to try again', schema: { type: 'string' } },
};
