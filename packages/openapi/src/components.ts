import type { OpenApiOperation, OpenApiParameter } from '@keyfront/api-reference';
import type { Access } from '@keyfront/protocol';

export const securitySchemes = {
  apiKey: {
    type: 'apiKey',
    in: 'header',
    name: 'x-auth-apikey',
    description:
      'The public key as PEM (SPKI, secp256k1), Base64-encoded. Send it together with `x-auth-signature`.',
  },
  signature: {
    type: 'apiKey',
    in: 'header',
    name: 'x-auth-signature',
    description:
      'The ECDSA signature (secp256k1, SHA-256) of the canonical payload, Base64-encoded. The canonical payload is the ' +
      'body of a POST, PATCH or PUT, the query string of a GET or DELETE, and `{}` without either.',
  },
  boundInput: {
    type: 'apiKey',
    in: 'header',
    name: 'Signature-Input',
    description:
      'What the bound signature covers (RFC 9421): `sig1=("@method" "@target-uri");created=...;keyid="..."`, with ' +
      '`"content-digest"` if there is a body, and a new `nonce` of at least 16 characters for each request that is not a GET. Send it together with ' +
      '`Signature`, in place of `x-auth-apikey` and `x-auth-signature`.',
  },
  boundSignature: {
    type: 'apiKey',
    in: 'header',
    name: 'Signature',
    description:
      'The 64 bytes r and s of the ECDSA signature (secp256k1, SHA-256) of the signature base (RFC 9421): `sig1=:<Base64>:`. It is ' +
      'valid for one request and five minutes. A request with a body also needs `Content-Digest` (RFC 9530).',
  },
  jwt: {
    type: 'http',
    scheme: 'bearer',
    bearerFormat: 'JWT',
    description: 'The token of a signed-in wallet.',
  },
  webhookId: {
    type: 'apiKey',
    in: 'header',
    name: 'webhook-id',
    description: 'Identifies the message of a provider. Each message is accepted once.',
  },
  webhookTimestamp: {
    type: 'apiKey',
    in: 'header',
    name: 'webhook-timestamp',
    description: 'When the message was sent, as a Unix time in seconds. It must be within five minutes.',
  },
  webhookSignature: {
    type: 'apiKey',
    in: 'header',
    name: 'webhook-signature',
    description:
      '`v1,` and the Base64 of the HMAC-SHA256 of `<webhook-id>.<webhook-timestamp>.<body>`, with the secret of the ' +
      'provider (Standard Webhooks). Several signatures are separated by spaces.',
  },
};

export const securityByAccess = {
  public: [],
  credential: [{ apiKey: [], signature: [] }, { boundInput: [], boundSignature: [] }, { jwt: [] }],
  jwt: [{ jwt: [] }],
  administrator: [{ jwt: [] }],
  provider: [{ webhookId: [], webhookTimestamp: [], webhookSignature: [] }],
} satisfies Record<Access, OpenApiOperation['security']>;

export const idempotencyKeyParameter: OpenApiParameter = {
  name: 'Idempotency-Key',
  in: 'header',
  required: false,
  description:
    'Makes it safe to retry: within 24 hours, the same key with the same request returns the first response again.',
  schema: { type: 'string', minLength: 1, maxLength: 255 },
  example: '6f1f4a3e-8a5a-4b7e-9d53-0f2c9f5a7c11',
};

/** Every response header that the document mentions. */
export const headers = {
  'x-request-id': {
    description: 'Identifies the request in the logs of the service',
    schema: { type: 'string', examples: ['0f9d0a5e-6d0c-4a35-9f54-3a6a1c1b2d3e'] },
  },
  ratelimit: {
    description: 'Requests left (`r`) and seconds until there are more (`t`)',
    schema: { type: 'string', examples: ['"credential";r=2999;t=1'] },
  },
  'ratelimit-policy': {
    description: 'Number of requests (`q`) in a window of seconds (`w`)',
    schema: { type: 'string', examples: ['"credential";q=3000;w=60'] },
  },
  'www-authenticate': {
    description: 'The scheme to use, and in `error_description` the `reason` of the body',
    schema: { type: 'string' },
  },
  'retry-after': {
    description: 'Seconds to wait before the next attempt',
    schema: { type: 'string', examples: ['1'] },
  },
  'content-disposition': {
    description: 'Name of the file. Only if the response is a file',
    schema: { type: 'string', examples: ['attachment; filename="orders.csv"'] },
  },
  'idempotent-replayed': {
    description:
      '`true` if this is the stored response of an earlier request with the same `Idempotency-Key`',
    schema: { type: 'string', enum: ['true'] },
  },
  deprecation: {
    description: 'Since when the operation is deprecated (RFC 9745)',
    schema: { type: 'string', examples: ['@1798761600'] },
  },
};

/** The headers of a response to a request that was counted. */
export const rateLimitHeaders = ['ratelimit', 'ratelimit-policy'];

export function referToHeaders(...names: string[]): Record<string, object> {
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));
}
