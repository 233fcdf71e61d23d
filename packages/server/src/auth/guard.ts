import type { Access } from '@keyfront/protocol';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { AdministratorScope, HolderScope, WalletScope } from '../database/transactions/scope.ts';

/**
 * Who may call a guarded route: callers with a signed request or a JWT (`credential`), with a JWT (`jwt`), or with the JWT
 * of an administrator (`administrator`).
 */
export type GuardedAccess = Exclude<Access, 'public' | 'provider'> | 'session';

/** The scope of a caller; never that of the service itself. */
export type CallerScope = HolderScope | AdministratorScope | WalletScope;

declare module 'fastify' {
  interface FastifyRequest {
    /** Set by the guard once the caller is authenticated, for the log. Null before, and on public routes. */
    caller: Caller | null;
  }
}

/** An authenticated caller. */
export interface Caller {
  readonly scope: CallerScope;
  /** The id of the API key, or the wallet of a token: the identity for rate limits, idempotency keys and the log. */
  readonly credentialId: string;
  /** What the API key of the caller may do. Null or left out: everything. */
  readonly keyScopes?: ReadonlySet<string> | null;
  /** When the signature of the request is no longer accepted, if it says so itself. For responses that take long. */
  readonly signatureEndsAtMs?: number;
}

export interface Guard {
  /** Authenticates a request, or throws the 401 of the route. */
  (request: FastifyRequest, reply: FastifyReply, access: GuardedAccess): Promise<Caller>;
  /**
   * Returns the wallet of the credential that the request claims, or throws the 401 if no body can make the request valid. Does not
   * authenticate the request: a signature covers the body.
   */
  readonly checkHeaders?: (request: FastifyRequest, access: GuardedAccess) => Promise<string>;
  /**
   * Returns the caller as a request with the same credential would be authenticated now, or null if it would be refused
   * or act for another digital key. For responses that take long. Does not verify the signature again: it may be bound
   * to its time.
   */
  readonly reauthenticate?: (
    request: FastifyRequest,
    access: GuardedAccess,
    caller: Caller,
  ) => Promise<Caller | null>;
  /** Throws the 401 of a request whose nonce was used before, or is too old to tell. */
  readonly rejectNonce?: (
    request: FastifyRequest,
    access: GuardedAccess,
    cause: 'repeated' | 'expired',
  ) => Promise<never>;
}
