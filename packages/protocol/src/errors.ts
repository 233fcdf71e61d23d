import { maximumPendingDeliveries } from './schemas/webhooks.ts';

interface ErrorDefinition {
  readonly status: number;
  /** The message of the envelope, unless the service has a more specific one. */
  readonly message: string;
}

/** Every error of the API by its `code`. The guide `docs/guides/errors.md` lists exactly these. */
export const errorTable = {
  // 400
  VALIDATION_FAILED: { status: 400, message: 'Validation failed' },
  MALFORMED_REQUEST: { status: 400, message: 'The request is not valid HTTP' },
  IMAGE_INVALID: { status: 400, message: 'The image is damaged, incomplete or followed by other data' },
  IMAGE_ANIMATED: { status: 400, message: 'The image is animated' },
  IMAGE_TOO_MANY_PIXELS: { status: 400, message: 'The image has more than 40 million pixels' },
  IMAGE_TOO_SLOW: { status: 400, message: 'The image takes too long to decode' },

  // 401
  CREDENTIALS_MISSING: { status: 401, message: 'User is not authorized' },
  API_KEY_MALFORMED: { status: 401, message: 'User is not authorized' },
  SIGNATURE_MALFORMED: { status: 401, message: 'User is not authorized' },
  SIGNATURE_IS_HMAC: { status: 401, message: 'User is not authorized' },
  SIGNED_EMPTY_STRING: { status: 401, message: 'User is not authorized' },
  SIGNED_BRACES_OVER_QUERY: { status: 401, message: 'User is not authorized' },
  SIGNED_PATH: { status: 401, message: 'User is not authorized' },
  SIGNED_DECODED_QUERY: { status: 401, message: 'User is not authorized' },
  SIGNED_REORDERED_QUERY: { status: 401, message: 'User is not authorized' },
  SIGNED_OTHER_JSON: { status: 401, message: 'User is not authorized' },
  SIGNED_OTHER_HASH: { status: 401, message: 'User is not authorized' },
  SIGNATURE_INVALID: { status: 401, message: 'User is not authorized' },
  API_KEY_UNKNOWN: { status: 401, message: 'User is not authorized' },
  API_KEY_EXPIRED: { status: 401, message: 'User is not authorized' },
  BOUND_SIGNATURE_REQUIRED: { status: 401, message: 'User is not authorized' },
  TOKEN_INVALID: { status: 401, message: 'Unauthorized' },
  TOKEN_REQUIRED: { status: 401, message: 'Unauthorized' },
  SIGN_IN_FAILED: { status: 401, message: 'Unauthorized' },
  CALLBACK_EXPIRED: { status: 401, message: 'Unauthorized' },

  // 403: who calls
  NOT_OWNED: { status: 403, message: 'The resource belongs to another holder or digital key' },
  ADMINISTRATOR_REQUIRED: { status: 403, message: 'This is for administrators' },
  HOLDER_REQUIRED: { status: 403, message: 'This is for holders of a digital key: sign in as one' },
  DIGITAL_KEY_REQUIRED: { status: 403, message: 'The wallet owns no digital key' },

  SCOPE_MISSING: { status: 403, message: 'The API key lacks a scope that this operation needs' },
  NETWORK_NOT_ALLOWED: { status: 403, message: 'The API key is not accepted from this network' },

  // 403: the state of a resource
  API_KEY_ENDED: { status: 403, message: 'The API key is revoked, has expired or has a successor' },
  API_KEY_LIMIT_REACHED: {
    status: 403,
    message: 'The holder has too many active API keys: revoke one first',
  },
  KEY_PROOF_INVALID: { status: 403, message: 'The proof of possession is not valid for this public key' },
  PUBLIC_KEY_REFUSED: { status: 403, message: 'This public key cannot be registered: create a new one' },
  REJECTION_NOTE_REFUSED: { status: 403, message: 'A rejection note needs a rejection' },
  CLIENT_BLOCKED: { status: 403, message: 'Client was deactivated by an administrator' },
  CLIENT_NOT_ACTIVE: { status: 403, message: 'Client is not active' },
  CLIENT_NOT_VERIFIED: { status: 403, message: 'Client is not verified' },
  CLIENT_NOT_APPROVED: { status: 403, message: 'Client is not approved' },
  MEDICAL_RECORDS_DISABLED: {
    status: 403,
    message: 'This service cannot store medical records: its operator has set no encryption key',
  },
  WEBHOOKS_DISABLED: {
    status: 403,
    message: 'This service cannot store the secrets of webhooks: its operator has set no encryption key',
  },
  WEBHOOK_NOT_ENABLED: { status: 403, message: 'The webhook is disabled: enable it first' },
  WEBHOOK_LIMIT_REACHED: { status: 403, message: 'A digital key has at most 20 webhooks: delete one first' },
  CART_EMPTY: { status: 403, message: 'Cart is empty' },
  CART_LIMIT_EXCEEDED: { status: 403, message: 'The cart would hold too many units of the strain' },
  CURRENCY_MISMATCH: { status: 403, message: 'All strains of a cart must have the same currency' },
  SHIPPING_ADDRESS_MISSING: {
    status: 403,
    message: 'The client has no address to ship to: street and country are needed',
  },
  NOT_SOLD_IN_COUNTRY: { status: 403, message: 'The strain is not sold in this country' },
  PRICE_CHANGED: { status: 403, message: 'The price has changed' },
  STRAIN_NOT_AVAILABLE: { status: 403, message: 'The strain is not available' },
  STOCK_TOO_LOW: { status: 403, message: 'The stock is too low' },
  STOCK_TOO_HIGH: { status: 403, message: 'The stock would be too high' },
  ORDER_TOO_LARGE: { status: 403, message: 'The order amounts to more than an invoice can hold' },
  ORDER_TRANSITION_REFUSED: { status: 403, message: 'The state of the order does not permit the change' },
  ORDER_CLOSED: { status: 403, message: 'The order is closed' },
  ORDER_NOT_APPROVED: { status: 403, message: 'The order is not approved' },
  SHIPMENT_TOO_LARGE: { status: 403, message: 'More would be sent than is left of the order' },
  REFUND_REFUSED: { status: 403, message: 'The state of the order does not permit a refund' },
  REFUND_TOO_LARGE: { status: 403, message: 'More would be refunded than is left' },
  KYC_TRANSITION_REFUSED: {
    status: 403,
    message: 'The state of the identity check does not permit the change',
  },
  CHECKOUT_REFUSED: { status: 403, message: 'The state of the order does not permit a checkout' },
  CHECKOUT_CLOSED: { status: 403, message: 'The checkout is cancelled or was replaced' },
  PAYMENT_AMOUNT_MISMATCH: { status: 403, message: 'Amount and currency must be those of the order' },
  PROVIDER_NOT_CONFIGURED: {
    status: 403,
    message: 'The operator of this service has set up no such provider',
  },
  SALE_TOKEN_MISMATCH: { status: 403, message: 'tokenId is not that of the sale' },
  SALE_LISTED: {
    status: 403,
    message: 'The sale is listed: to cancel it, sign its typedData and send the signature with PATCH',
  },
  SALE_CLOSED: { status: 403, message: 'The sale is sold or cancelled' },
  SALE_EXPIRED: { status: 403, message: 'The sale has expired' },
  OWNER_SIGNATURE_INVALID: { status: 403, message: 'The signature is not that of the owner' },

  IMAGE_STORAGE_MISSING: {
    status: 403,
    message: 'Images cannot be stored: set IMAGE_FOLDER to a folder that all instances share, or S3_BUCKET',
  },

  // 404 and 405
  RESOURCE_NOT_FOUND: { status: 404, message: 'Not found' },
  EVENTS_EXPIRED: { status: 404, message: 'Events after this one are no longer kept: read without `after`' },
  EVENT_POSITION_UNKNOWN: {
    status: 404,
    message:
      'This service has not reached the event with this id, because its database was created anew or restored: read without this id',
  },
  ROUTE_NOT_FOUND: { status: 404, message: 'There is no such route' },
  METHOD_NOT_ALLOWED: { status: 405, message: 'Method not allowed' },
  REQUEST_TIMEOUT: { status: 408, message: 'The request took too long to arrive' },

  // 409: another resource exists already
  EMAIL_TAKEN: { status: 409, message: 'A client with this e-mail exists already' },
  NAME_TAKEN: { status: 409, message: 'The name is taken' },
  REFERENCE_TAKEN: { status: 409, message: 'Another order has this reference' },
  NUMBER_TAKEN: { status: 409, message: 'The number is taken' },
  WEBHOOK_BUSY: {
    status: 409,
    message:
      'The webhook has a replay that is not finished, or ' +
      `${maximumPendingDeliveries.toLocaleString('en-US')} deliveries that are not sent yet: try again later`,
  },
  SALE_ALREADY_OPEN: { status: 409, message: 'The digital key has an open sale already' },

  // The request itself
  IDEMPOTENCY_KEY_IN_USE: {
    status: 409,
    message: 'A request with this Idempotency-Key is still running: try again soon',
  },
  CALLBACK_REPEATED: { status: 409, message: 'A callback with this webhook-id was accepted before' },
  IDEMPOTENCY_RESPONSE_ERASED: {
    status: 410,
    message:
      'The request with this Idempotency-Key was executed, and its response was erased with the client',
  },
  PAYLOAD_TOO_LARGE: { status: 413, message: 'The body is larger than 16 KiB' },
  UNSUPPORTED_MEDIA_TYPE: { status: 415, message: 'The body must be sent as application/json' },
  IMAGE_TYPE_REFUSED: { status: 415, message: 'The file is not a PNG, JPEG or WebP image' },
  EXPECTATION_FAILED: { status: 417, message: 'The only supported expectation is 100-continue' },
  IDEMPOTENCY_KEY_REUSED: {
    status: 422,
    message: 'This Idempotency-Key was used for another request: use a new one',
  },
  IDEMPOTENCY_RESPONSE_UNREADABLE: {
    status: 422,
    message:
      'The request with this Idempotency-Key was executed, but its response can no longer be read: look up the result',
  },
  RATE_LIMITED: { status: 429, message: 'Too many requests' },
  CONCURRENCY_LIMITED: { status: 429, message: 'Too many requests at the same time: try again soon' },
  HEADERS_TOO_LARGE: { status: 431, message: 'The request line and headers are larger than 16 KiB' },

  // The service
  INTERNAL_ERROR: { status: 500, message: 'Internal server error' },
  UNAVAILABLE: { status: 503, message: 'The service is unavailable at the moment: try again soon' },
  OVERLOADED: { status: 503, message: 'The service is overloaded: try again soon' },
} as const satisfies Record<string, ErrorDefinition>;

export type ErrorCode = keyof typeof errorTable;

/** The codes of a 401 that say what is wrong with a signature, in both forms. */
export const signatureErrorCodes = [
  'API_KEY_MALFORMED',
  'SIGNATURE_MALFORMED',
  'SIGNATURE_IS_HMAC',
  'SIGNED_EMPTY_STRING',
  'SIGNED_BRACES_OVER_QUERY',
  'SIGNED_PATH',
  'SIGNED_DECODED_QUERY',
  'SIGNED_REORDERED_QUERY',
  'SIGNED_OTHER_JSON',
  'SIGNED_OTHER_HASH',
  'SIGNATURE_INVALID',
] as const satisfies readonly ErrorCode[];
export type SignatureErrorCode = (typeof signatureErrorCodes)[number];

export const errorCodes = Object.keys(errorTable) as ErrorCode[];
