import type { FastifyRequest } from 'fastify';
import type { Tokens, VerifiedToken } from './tokens.ts';

const verifiedTokens = new WeakMap<FastifyRequest, Promise<VerifiedToken>>();

/** Verifies the bearer token of a request, once: before its body is read, and not again after that. */
export function verifyRequestToken(request: FastifyRequest, tokens: Tokens): Promise<VerifiedToken> {
  const verified = verifiedTokens.get(request) ?? verifyRequestTokenAgain(request, tokens);
  verifiedTokens.set(request, verified);
  return verified;
}

/** Verifies the bearer token of a request as of now: it may have expired since the request began. */
export function verifyRequestTokenAgain({ headers }: FastifyRequest, tokens: Tokens): Promise<VerifiedToken> {
  return verifyToken(headers.authorization, tokens);
}

async function verifyToken(authorization: string | undefined, tokens: Tokens): Promise<VerifiedToken> {
  const [, token] = /^Bearer +(\S+)$/i.exec(authorization ?? '') ?? [];
  if (token === undefined)
    return { ok: false, reason: 'the authorization header must have the form Bearer <token>' };
  return tokens.verify(token);
}
