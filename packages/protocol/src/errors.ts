interface ErrorKind {
  readonly status: number;
  /** What the caller reads, unless the operation has a more telling sentence. */
  readonly message: string;
}

/** Every error the service answers with. The guide `docs/guides/errors.md` names exactly the same codes. */
export const errorTable = {
  VALIDATION_FAILED: { status: 400, message: 'Validation failed' },
  MALFORMED_REQUEST: { status: 400, message: 'The request is not valid HTTP' },
  CREDENTIAL_REFUSED: { status: 401, message: 'User is not authorized' },
  TOKEN_REFUSED: { status: 401, message: 'Unauthorized' },
  FORBIDDEN: { status: 403, message: 'Forbidden' },
  NOT_FOUND: { status: 404, message: 'Not found' },
  METHOD_NOT_ALLOWED: { status: 405, message: 'Method not allowed' },
  REQUEST_TIMEOUT: { status: 408, message: 'The request took too long to arrive' },
  IDEMPOTENCY_CONFLICT: {
    status: 409,
    message: 'A request with this Idempotency-Key is still running: try again soon',
  },
  PAYLOAD_TOO_LARGE: { status: 413, message: 'The body is larger than 1 MiB' },
  UNSUPPORTED_MEDIA_TYPE: { status: 415, message: 'The body must be sent as application/json' },
  EXPECTATION_FAILED: { status: 417, message: 'The only expectation that is understood is 100-continue' },
  IDEMPOTENCY_KEY_REUSED: {
    status: 422,
    message: 'This Idempotency-Key was used for another request: take a new one',
  },
  TOO_MANY_REQUESTS: { status: 429, message: 'Too many requests' },
  HEADERS_TOO_LARGE: { status: 431, message: 'The request line and headers are larger than 16 KiB' },
  INTERNAL: { status: 500, message: 'Internal server error' },
  UNAVAILABLE: { status: 503, message: 'The service is unavailable at the moment: try again soon' },
  OVERLOADED: { status: 503, message: 'More is asked of the service than it can do: try again soon' },
} as const satisfies Record<string, ErrorKind>;

export type ErrorCode = keyof typeof errorTable;
