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
  signatureIssues,
  signingMistakes,
  ValidationErrorEnvelope,
} from '@keyfront/protocol';
import { rateLimitHeaders, referToHeaders } from './components.ts';
import type { SchemaComponents } from './schema-components.ts';
import { type CompileValidator, validationExample } from './validation-example.ts';

/** One response for each status, with an example for each code. */
export function describeErrors(
  operation: Operation,
  schemas: SchemaComponents,
  compileValidator: CompileValidator,
): Record<string, object> {
  const makeExample = (code: ErrorCode) => errorExample(operation, code, compileValidator);
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
          : describeError(status, codes, schemas, makeExample),
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
      return [name, describeError(Number(status), codes, schemas, (code) => failure(code))];
    }),
  );
}

function describeError(
  status: number,
  codes: readonly ErrorCode[],
  schemas: SchemaComponents,
  makeExample: (code: ErrorCode) => ErrorExample,
): object {
  const ordinary = codes.includes('VALIDATION_FAILED') ? ValidationErrorEnvelope : ErrorEnvelope;
  const envelope = status === 401 ? AuthenticationErrorEnvelope : ordinary;
  return {
    description: statusDescriptions[status] ?? 'Error',
    headers: referToHeaders('x-request-id', ...(headersByStatus[status] ?? [])),
    content: {
      'application/json': {
        schema: schemas.reference(envelope),
        examples: Object.fromEntries(
          codes.map((code) => {
            const value = makeExample(code);
            // Every 401 has the same message. Its reason tells more.
            return [code, { summary: 'reason' in value ? String(value.reason) : value.message, value }];
          }),
        ),
      },
    },
  };
}

type ErrorExample = ReturnType<typeof failure>;

function errorExample(
  operation: Operation,
  code: ErrorCode,
  compileValidator: CompileValidator,
): ErrorExample {
  if (code === 'VALIDATION_FAILED')
    return failure(code, undefined, validationExample(operation, compileValidator));
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
