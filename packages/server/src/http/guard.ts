import type { FastifyRequest } from 'fastify';
import { ApiError } from '../api-error.ts';
import type { Scope } from '../database/scope.ts';

/**
 * Who may call a route: anybody (`public`), a signed request or a JWT (`credential`), a JWT alone (`jwt`), or the JWT
 * of an administrator (`administrator`).
 */
export type Access = 'public' | 'credential' | 'jwt' | 'administrator';

/** Finds out who calls, or throws the 401 that fits the route. The scope that comes out is all a handler gets. */
export type Guard = (request: FastifyRequest, access: Exclude<Access, 'public'>) => Promise<Scope>;

/** Lets nobody in. */
export const refuseEverybody: Guard = async (_request, access) => {
  throw new ApiError(access === 'credential' ? 'CREDENTIAL_REFUSED' : 'TOKEN_REFUSED');
};
