import type { FastifyRequest } from 'fastify';
import { reject } from './rejection.ts';
import type { Tokens, VerifiedToken } from './tokens.ts';

const verifiedTokens = new WeakMap<FastifyRequest, Promise<VerifiedToken>>();

/** Verifies the bearer token of a request, once: before its body is read, and not again after that. */
export function verifyRequestToken(request: FastifyRequest, tokens: Tokens): Promise<VerifiedToken> {
  const verified = verifiedTokens.get(request) ?? verifyToken(request.headers.authorization, tokens);
  verifiedTokens.set(request, verified);
  return verified;
}

async function verifyToken(authorization: string | undefined, tokens: Tokens): Promise<VerifiedToken> {
  const [, token] = /^Bearer +(\S+)$/i.exec(authorization ?? '') ?? [];
  if (token === undefined) return reject('the authorization header must have the form Bearer <token>');
  return tokens.verify(token);
}
