import type { FastifyReply, FastifyRequest } from 'fastify';
import type { AdministratorScope, HolderScope } from '../database/scope.ts';

/**
 * Who may call a route: anybody (`public`), a signed request or a JWT (`credential`), a JWT alone (`jwt`), or the JWT
 * of an administrator (`administrator`).
 */
export type Access = 'public' | 'credential' | 'jwt' | 'administrator';

export type GuardedAccess = Exclude<Access, 'public'>;

/** Somebody behind a request, never the service itself. */
export type CallerScope = HolderScope | AdministratorScope;

/** A caller who has proved who he is. */
export interface Caller {
  readonly scope: CallerScope;
  /** What his requests are counted under and his idempotency keys belong to. */
  readonly credential: string;
}

/** Finds out who calls, at once where nobody needs to be asked, or throws the 401 that fits the route. */
export type Guard = (
  request: FastifyRequest,
  reply: FastifyReply,
  access: GuardedAccess,
) => Caller | Promise<Caller>;
