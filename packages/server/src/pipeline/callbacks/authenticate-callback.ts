import type { Provider } from '@keyfront/protocol';
import type { FastifyRequest } from 'fastify';
import { describeReason } from '../../auth/challenge.ts';
import { ApiError } from '../../lib/errors/api-error.ts';
import type { RateLimits } from '../../limits/rates/rate-limits.ts';
import {
  type CallbackHeaders,
  type CallbackRejection,
  hasValidSignature,
  readCallbackHeaders,
} from './callback-signature.ts';

/** The secrets of a provider, the current one first. Empty if the provider is not set up. */
export type CallbackSecrets = Readonly<Record<Provider, readonly Uint8Array[]>>;

/** Reads the headers of a callback before its body is read, or throws the 401 or 403. */
export async function checkCallbackHeaders(
  request: FastifyRequest,
  secrets: readonly Uint8Array[],
  limits: RateLimits,
): Promise<CallbackHeaders> {
  if (secrets.length === 0) throw new ApiError('PROVIDER_NOT_CONFIGURED');
  const headers = readCallbackHeaders(request.headers, Date.now());
  return headers.ok ? headers : rejectCallback(request, limits, headers);
}

/** Verifies the signature over the bytes of the body, or throws the 401. Returns the id of the message. */
export async function authenticateCallback(
  request: FastifyRequest,
  secrets: readonly Uint8Array[],
  limits: RateLimits,
): Promise<string> {
  const headers = await checkCallbackHeaders(request, secrets, limits);
  const body = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0);
  if (hasValidSignature(headers, body, secrets)) return headers.messageId;
  return rejectCallback(request, limits, {
    ok: false,
    code: 'SIGNATURE_INVALID',
    reason: 'no v1 signature of webhook-id, webhook-timestamp and the body is valid',
  });
}

/** Counts an invalid signature of the address, and throws the 401 or the 429. */
async function rejectCallback(
  request: FastifyRequest,
  limits: RateLimits,
  { code, reason }: CallbackRejection,
): Promise<never> {
  await limits.takeFailure(request.ip);
  throw new ApiError(code, {
    message: 'Unauthorized',
    ...describeReason('Webhook', reason),
    actor: {},
  });
}
