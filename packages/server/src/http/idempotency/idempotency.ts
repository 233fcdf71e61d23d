import { createHash, timingSafeEqual } from 'node:crypto';
import type { FastifyRequest } from 'fastify';
import { ApiError, validationFailed } from '../../api-error.ts';
import type { RunInTransaction } from '../../database/transaction.ts';
import type { Caller } from '../guard.ts';
import type { Seal } from './seal.ts';
import { type AnswerName, claim, keep } from './store.ts';

const headerName = 'idempotency-key';
const longestKey = 255;
/** Seconds after which a request that still runs is likely to be over. */
const retryAfterSeconds = '1';

/** An answer as it goes out. */
export interface Answer {
  readonly statusCode: number;
  readonly body: Buffer;
  /** Whether it was given before. */
  readonly isReplayed: boolean;
}

/** The key that a request brings, or null. */
export function readIdempotencyKey(request: FastifyRequest): string | null {
  const key = request.headers[headerName];
  if (key === undefined) return null;
  if (typeof key !== 'string' || key === '') throw validationFailed([`${headerName} should not be empty`]);
  if (key.length > longestKey) {
    throw validationFailed([`${headerName} must be shorter than or equal to ${longestKey} characters`]);
  }
  return key;
}

export interface IdempotentCall {
  readonly request: FastifyRequest;
  readonly caller: Caller;
  readonly key: string;
  /** For answers that hold a secret, which is kept nowhere in the open. */
  readonly seal: Seal | null;
}

/** Does the work and keeps its answer in the same transaction, or gives the answer that is kept already. */
export async function answerOnce(
  run: RunInTransaction,
  { request, caller, key, seal }: IdempotentCall,
  work: () => Promise<Pick<Answer, 'statusCode' | 'body'>>,
): Promise<Answer> {
  const { credential } = caller;
  const name: AnswerName = { credential, keyHash: createHash('sha256').update(key).digest() };
  const requestHash = hashRequest(request);
  const context = `${credential} ${key}`;
  const kept = await claim(run, name);
  if (kept === false) {
    throw new ApiError('IDEMPOTENCY_CONFLICT', { headers: { 'retry-after': retryAfterSeconds } });
  }
  if (kept !== true) {
    if (!timingSafeEqual(kept.requestHash, requestHash)) throw new ApiError('IDEMPOTENCY_KEY_REUSED');
    const body = seal ? seal.open(context, kept.body) : kept.body;
    return { statusCode: kept.statusCode, body, isReplayed: true };
  }
  const { statusCode, body } = await work();
  const keptBody = seal ? seal.close(context, body) : body;
  keep(run, name, caller.scope.walletAddress, { requestHash, statusCode, body: keptBody });
  return { statusCode, body, isReplayed: false };
}

/** Two requests are the same when method, address and body are, byte for byte. */
function hashRequest(request: FastifyRequest): Buffer {
  const hash = createHash('sha256').update(`${request.method} ${request.url}\n`);
  return hash.update(Buffer.isBuffer(request.body) ? request.body : '').digest();
}
