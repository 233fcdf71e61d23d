import type { FastifyReply, FastifyRequest } from 'fastify';
import type { AdministratorScope, HolderScope } from '../database/scope.ts';

/**
 * Who may call a route: anybody (`public`), callers with a signed request or a JWT (`credential`), with a JWT (`jwt`), or
 * with the JWT of an administrator (`administrator`).
 */
export type Access = 'public' | 'credential' | 'jwt' | 'administrator';

export type GuardedAccess = Exclude<Access, 'public'>;

/** The scope of a caller; never that of the service itself. */
export type CallerScope = HolderScope | AdministratorScope;

/** An authenticated caller. */
export interface Caller {
  readonly scope: CallerScope;
  /** Identifies the caller for rate limits and idempotency keys. */
  readonly credential: string;
}

/** Authenticates a request, or throws the 401 of the route. Returns a promise only where it must wait. */
export type Guard = (
  request: FastifyRequest,
  reply: FastifyReply,
  access: GuardedAccess,
) => Caller | Promise<Caller>;
