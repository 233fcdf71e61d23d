import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Scope } from '../database/scope.ts';

/**
 * Who may call a route: anybody (`public`), a signed request or a JWT (`credential`), a JWT alone (`jwt`), or the JWT
 * of an administrator (`administrator`).
 */
export type Access = 'public' | 'credential' | 'jwt' | 'administrator';

export type GuardedAccess = Exclude<Access, 'public'>;

/** Finds out who calls, or throws the 401 that fits the route. The scope that comes out is all a handler gets. */
export type Guard = (request: FastifyRequest, reply: FastifyReply, access: GuardedAccess) => Promise<Scope>;
