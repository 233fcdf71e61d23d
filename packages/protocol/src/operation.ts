import type { Static, TObject, TSchema } from 'typebox';
import { type ErrorCode, signatureErrorCodes } from './errors.ts';

/**
 * Who may call an operation: anybody (`public`), a signed request or a JWT (`credential`), a JWT only (`jwt`), the JWT of an
 * administrator (`administrator`), or an outside provider with a callback that it has signed (`provider`).
 */
export type Access = 'public' | 'credential' | 'jwt' | 'administrator' | 'provider';

/** The outside providers that report to the service. Each has a secret of its own. */
export const providers = ['KYC', 'PAYMENT'] as const;
export type Provider = (typeof providers)[number];

/**
 * The size of the largest body that an operation reads, unless its schema allows a larger one. A body is read and hashed before anybody
 * knows whether its signature is valid, so this bounds what a stranger can cost.
 */
export const defaultBodyLimitBytes = 16 * 1024;
/** For operations whose largest valid bodies are lists or long signatures. */
export const listBodyLimitBytes = 32 * 1024;
/** What metadata adds to the largest body, with every character written as an escape sequence. */
export const metadataLimitBytes = 132 * 1024;
/** For callbacks. Their reports are small, but providers may add fields of their own. */
export const callbackBodyLimitBytes = 64 * 1024;

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/**
 * Whether a client may send a request again when it does not know what became of the first attempt:
 * - `safe`: yes, the result is the same;
 * - `idempotency-key`: yes, with the same `Idempotency-Key`. The response is stored for it, encrypted;
 * - `never`: no, it is executed again. The response must not be stored, so an `Idempotency-Key` has no effect;
 * - `unless`: yes, unless the body has one of these fields.
 */
export type RetrySafety = 'safe' | 'idempotency-key' | 'never' | { readonly unless: readonly string[] };

/** Sections of the reference. */
export const tags = {
  'Sign-in': 'A wallet gets a token: request a nonce, sign the message, send the signature.',
  Keys: 'API keys sign requests. A signed-in wallet creates and revokes them.',
  Holder: 'The holder and their digital keys.',
  Clients: 'The people that a storefront sells to. A client belongs to a digital key.',
  Carts: 'What a client is about to order. A cart reserves no stock.',
  Orders: 'Orders from checkout to delivery, with statistics and export.',
  Payments: 'Links at which customers pay their orders, and what became of them.',
  Sales: 'The sales pipeline of a digital key: leads, ongoing, closed.',
  Dashboard: 'Clients, orders and sales of a digital key in numbers.',
  Events:
    'What has happened, in the order in which it happened: client approved, order paid, strain out of stock.',
  Webhooks: 'Endpoints of a storefront that events are sent to, signed and repeated until they arrive.',
  Marketplace: 'Digital keys for sale by signature, and the transactions on the chain.',
  Catalogue: 'Planets and strains. The catalogue is the same for every holder.',
  Callbacks:
    'Identity and payment providers report here. Each report is signed with the secret of the provider.',
  Sandbox:
    'For developers of storefronts, in a sandbox only: decide about the data of a digital key in place of administrators and providers.',
  Administration: 'For administrators of the platform, who sign in with `type` `admin`.',
  Service: 'The service itself.',
} as const;

export type Tag = keyof typeof tags;

/** The one definition of an operation. Routing, validation, OpenAPI, the SDK and the common tests derive from it. */
export interface Operation {
  readonly id: string;
  readonly method: Method;
  /** Relative to `/api/v1`, with `{name}` for parameters. */
  readonly path: string;
  readonly access: Access;
  readonly tag: Tag;
  /** Scopes that an API key needs besides that of the noun and the verb, because the operation shows data of another noun. */
  readonly furtherScopes?: readonly string[];
  /** Whether the token of any wallet is accepted, also of one that no longer owns a digital key. */
  readonly needsNoDigitalKey?: true;
  /** The provider that calls an operation with this access. */
  readonly provider?: Provider;
  /** Name of the SDK method, such as `orders.create`. The SDK has no methods for providers. */
  readonly sdk?: string;
  readonly summary: string;
  readonly description?: string;
  /** 201 for operations that create something. */
  readonly status: 200 | 201;
  readonly retry: RetrySafety;
  /** A rate limit of its own for a public operation. The default is the limit of an address. */
  readonly rateLimit?: 'nonce' | 'signIn';
  readonly parameters?: TObject;
  readonly query?: TObject;
  readonly body?: TObject;
  /** The size of the largest body, where it is not `defaultBodyLimitBytes`. */
  readonly bodyLimitBytes?: number;
  /** Whether the operation ignores fields of the body that it does not know, and a body that is no JSON object. Every other operation refuses both. */
  readonly ignoresUnknownBody?: true;
  /** A body that is a file instead of JSON. */
  readonly upload?: {
    /** The media types of `Content-Type` that are accepted. */
    readonly contentTypes: readonly string[];
    readonly maxBytes: number;
    readonly description: string;
  };
  /** Schema of `data`. */
  readonly response: TSchema;
  /**
   * The field of the response with the id of what it has personal data of: a client, or an order or delivery about one. The response
   * that is stored for an `Idempotency-Key` is erased with that client. Without it, the response has no data of a client.
   */
  readonly erasedWith?: 'id' | 'clientId' | 'orderId';
  /** Another representation of the response, selected by `Accept`. */
  readonly file?: {
    readonly contentType: string;
    readonly description: string;
    readonly query: TObject;
  };
  /** A page for people, in place of JSON. The handler returns it with its policy. Errors are JSON. */
  readonly page?: { readonly description: string };
  /** A stream that never ends, in place of the response. An `Accept` that names JSON, and not the stream, gets the response. */
  readonly stream?: {
    readonly contentType: string;
    readonly description: string;
  };
  /** Error codes beyond those that follow from access and input; see `errorCodesOf`. */
  readonly errors?: readonly ErrorCode[];
  readonly deprecated?: {
    /** ISO 8601 date of the `Deprecation` header. */
    readonly since: string;
    /** ISO 8601 date of the `Sunset` header. */
    readonly sunset?: string;
    /** Path of the operation that replaces this one. */
    readonly successor?: string;
  };
  /**
   * How often a request waits for the database if the service knows the caller, however much data there is. By default what
   * follows from method and access; see `roundTripsOf`. A test counts.
   */
  readonly roundTrips?:
    | number
    | {
        readonly first: number;
        /** With an `Idempotency-Key`, where that takes more. */
        readonly withKey?: number;
        readonly replayed: number;
      };
  readonly example: ExampleRequest & {
    readonly parameters?: Readonly<Record<string, unknown>>;
    readonly response: unknown;
  };
  /** Further requests with other work behind them, by the words that distinguish them. Tests make them like the example. */
  readonly variants?: Readonly<Record<string, ExampleRequest & { readonly roundTrips?: number }>>;
}

export interface ExampleRequest {
  readonly query?: Readonly<Record<string, unknown>>;
  readonly body?: Readonly<Record<string, unknown>>;
  readonly headers?: Readonly<Record<string, string>>;
}

type Definition = Omit<Operation, 'id'>;

/** Defines the operations of a noun. The property name becomes the id. */
export function defineOperations<const Definitions extends Readonly<Record<string, Definition>>>(
  definitions: Definitions,
): { readonly [Id in keyof Definitions & string]: Definitions[Id] & { readonly id: Id } } {
  const entries = Object.entries(definitions).map(([id, definition]) => [id, { id, ...definition }]);
  return Object.fromEntries(entries);
}

type ValueOf<Schema> = Schema extends TSchema ? Static<Schema> : undefined;

export type ParametersOf<Definition extends Operation> = ValueOf<Definition['parameters']>;
export type QueryOf<Definition extends Operation> = ValueOf<Definition['query']>;
export type BodyOf<Definition extends Operation> = ValueOf<Definition['body']>;
export type ResponseOf<Definition extends Operation> = Static<Definition['response']>;

/** Whether a holder or an administrator calls the operation, with a credential of their own. */
export function isGuarded(access: Access): access is Exclude<Access, 'public' | 'provider'> {
  return access !== 'public' && access !== 'provider';
}

/** The size of the largest body that the operation reads. */
export function bodyLimitOf({ upload, bodyLimitBytes = defaultBodyLimitBytes }: Operation): number {
  return upload?.maxBytes ?? bodyLimitBytes;
}

/** What the 413 of a body that is larger than this says. */
export function describeBodyLimit(limitBytes: number): string {
  const isMebibytes = limitBytes % (1024 * 1024) === 0;
  const size = isMebibytes ? `${limitBytes / 1024 / 1024} MiB` : `${limitBytes / 1024} KiB`;
  return `The body is larger than ${size}`;
}

/**
 * The scopes that an API key needs for the operation: its noun with its verb, and those that the operation names
 * besides. The noun is the group of its SDK method. None if API keys cannot call it.
 */
export function scopesOf({
  access,
  method,
  sdk = '',
  furtherScopes = [],
}: Pick<Operation, 'access' | 'method' | 'sdk' | 'furtherScopes'>): string[] {
  if (access !== 'credential') return [];
  const [noun] = sdk.split('.');
  return [`${noun}:${method === 'GET' ? 'read' : 'write'}`, ...furtherScopes];
}

/** Whether an `Idempotency-Key` has an effect: the response is stored, and a repeated request gets it again. */
export function takesIdempotencyKey({ retry }: Pick<Operation, 'retry'>): boolean {
  return retry === 'idempotency-key';
}

/** How often a request of the operation waits for the database, and a POST that is repeated with its `Idempotency-Key`. */
export function roundTripsOf({ method, access, retry, needsNoDigitalKey, roundTrips }: Operation): {
  first: number;
  withKey?: number;
  replayed: number;
} {
  if (typeof roundTrips === 'object') return roundTrips;
  // An operation that accepts only a JWT looks the holder up.
  const lookup = access === 'jwt' && !needsNoDigitalKey ? 1 : 0;
  const replayed = 2 + lookup;
  if (roundTrips !== undefined) return { first: roundTrips, replayed };
  if (method === 'GET') return { first: 1 + lookup, replayed };
  if (retry === 'idempotency-key') return { first: replayed, replayed };
  // Records the message, locks what it is about, and commits the change.
  if (access === 'provider') return { first: 3, replayed };
  // An administrator's change reads the old state for the audit log.
  return { first: access === 'administrator' ? 3 : 1 + lookup, replayed };
}

/** Every error code that an operation may return: those of its definition, and those that follow from its access and input. */
export function errorCodesOf(operation: Operation): ErrorCode[] {
  const { access, method, parameters, query, upload, needsNoDigitalKey, erasedWith, errors = [] } = operation;
  const codes: ErrorCode[] = ['MALFORMED_REQUEST'];
  if (parameters || query || (method !== 'GET' && !upload)) codes.push('VALIDATION_FAILED');
  if (access === 'credential') {
    codes.push('CREDENTIALS_MISSING', ...signatureErrorCodes, 'API_KEY_UNKNOWN', 'API_KEY_EXPIRED');
    codes.push('BOUND_SIGNATURE_REQUIRED', 'TOKEN_INVALID');
    codes.push('SCOPE_MISSING', 'NETWORK_NOT_ALLOWED', 'DIGITAL_KEY_REQUIRED');
  }
  if (access === 'jwt') {
    codes.push('CREDENTIALS_MISSING', 'TOKEN_REQUIRED', 'TOKEN_INVALID');
    if (!needsNoDigitalKey) codes.push('DIGITAL_KEY_REQUIRED');
  }
  if (access === 'administrator') {
    codes.push('CREDENTIALS_MISSING', 'TOKEN_REQUIRED', 'TOKEN_INVALID', 'ADMINISTRATOR_REQUIRED');
  }
  if (access === 'provider') {
    codes.push('CREDENTIALS_MISSING', 'SIGNATURE_INVALID', 'CALLBACK_EXPIRED', 'PROVIDER_NOT_CONFIGURED');
    codes.push('CALLBACK_REPEATED');
  }
  codes.push(...errors);
  if (parameters && !codes.includes('RESOURCE_NOT_FOUND')) codes.push('RESOURCE_NOT_FOUND');
  codes.push('REQUEST_TIMEOUT');
  // A body that the operation does not use is read all the same, except that of a GET.
  if (method !== 'GET') codes.push('PAYLOAD_TOO_LARGE', 'UNSUPPORTED_MEDIA_TYPE');
  codes.push('EXPECTATION_FAILED');
  if (takesIdempotencyKey(operation)) {
    codes.push('IDEMPOTENCY_KEY_IN_USE', 'IDEMPOTENCY_KEY_REUSED', 'IDEMPOTENCY_RESPONSE_UNREADABLE');
    if (erasedWith) codes.push('IDEMPOTENCY_RESPONSE_ERASED');
  }
  codes.push('RATE_LIMITED', 'HEADERS_TOO_LARGE', 'INTERNAL_ERROR', 'UNAVAILABLE');
  if (isGuarded(access)) codes.push('CONCURRENCY_LIMITED', 'OVERLOADED');
  else if (access === 'provider') codes.push('OVERLOADED');
  return codes;
}
