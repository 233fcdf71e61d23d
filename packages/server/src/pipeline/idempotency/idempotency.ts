import { createHash, timingSafeEqual } from 'node:crypto';
import type { FastifyRequest } from 'fastify';
import type { Caller } from '../../auth/guard.ts';
import type { RunInTransaction, RunStatement } from '../../database/transactions/transaction.ts';
import { ApiError } from '../../lib/errors/api-error.ts';
import { compressResponse, decompressResponse } from './compress-response.ts';
import {
  claimKey,
  isErased,
  type ResponseId,
  type StoredResponse,
  storeResponse,
} from './idempotency-queries.ts';
import type { ResponseCipher } from './response-cipher.ts';

const headerName = 'idempotency-key';
const maxKeyLength = 255;
/** Seconds after which a request that is still running is likely to be done. */
const retryAfterSeconds = '1';

export interface IdempotentResponse {
  readonly statusCode: number;
  readonly body: Buffer;
  /** Whether it is the stored response of an earlier request. */
  readonly isReplayed: boolean;
}

/** The `Idempotency-Key` of a request without issues, or null. */
export function readIdempotencyKey({ headers }: Pick<FastifyRequest, 'headers'>): string | null {
  const key = headers[headerName];
  return typeof key === 'string' ? key : null;
}

/** What is wrong with the `Idempotency-Key` of a request. */
export function findIdempotencyKeyIssues({ headers }: Pick<FastifyRequest, 'headers'>): string[] {
  const key = headers[headerName];
  if (key === undefined) return [];
  if (typeof key !== 'string' || key === '') return [`${headerName} should not be empty`];
  return key.length > maxKeyLength
    ? [`${headerName} must be shorter than or equal to ${maxKeyLength} characters`]
    : [];
}

export interface IdempotentCall {
  readonly request: Pick<FastifyRequest, 'method' | 'url' | 'body'>;
  readonly caller: Caller;
  readonly key: string;
  readonly cipher: ResponseCipher;
}

/** Runs work in a transaction. */
export type Transact = <Result>(work: (tx: RunInTransaction) => Promise<Result>) => Promise<Result>;

interface Executed extends Pick<IdempotentResponse, 'statusCode' | 'body'> {
  /** What the response has personal data of, see `erasedWith` of an operation. */
  readonly subjectId: string | null;
}
export type Work = (tx: RunInTransaction) => Promise<Executed>;

/**
 * Does the work and stores its response in the same transaction, or returns the stored response. A key is nearly always
 * new, so the work starts before that is known. If the key is not new, the transaction is rolled back and the outcome of
 * the work is ignored.
 */
export async function respondOnce(
  transact: Transact,
  { request, caller, key, cipher }: IdempotentCall,
  work: Work,
): Promise<IdempotentResponse> {
  const { credentialId, scope } = caller;
  const id: ResponseId = { credential: credentialId, keyHash: createHash('sha256').update(key).digest() };
  const requestHash = hashRequest(request);
  const context = `${credentialId} ${key}`;
  try {
    return await transact(async (tx) => {
      const claiming = claimKey(tx, id);
      const [claimed, worked] = await Promise.allSettled([claiming, workAhead(work, tx, claiming)]);
      if (claimed.status === 'rejected') throw claimed.reason;
      if (claimed.value !== true) throw new KeyNotClaimed(claimed.value || null);
      if (worked.status === 'rejected') throw worked.reason;
      const { statusCode, body, subjectId } = worked.value;
      const encrypted = cipher.encrypt(context, compressResponse(body));
      const stored = { requestHash, statusCode, body: encrypted, subjectId };
      storeResponse(tx, id, scope, stored);
      return { statusCode, body, isReplayed: false };
    });
  } catch (error) {
    if (!(error instanceof KeyNotClaimed)) throw error;
    const { stored } = error;
    if (!stored) {
      throw new ApiError('IDEMPOTENCY_KEY_IN_USE', { headers: { 'retry-after': retryAfterSeconds } });
    }
    if (isErased(stored)) throw new ApiError('IDEMPOTENCY_RESPONSE_ERASED');
    if (!timingSafeEqual(stored.requestHash, requestHash)) throw new ApiError('IDEMPOTENCY_KEY_REUSED');
    const body = decompressResponse(decryptStored(cipher, context, stored.body));
    return { statusCode: stored.statusCode, body, isReplayed: true };
  }
}

/** After a change of the secret, responses that were stored before may be unreadable. Their requests are not executed again. */
function decryptStored(cipher: ResponseCipher, context: string, body: Buffer): Buffer {
  try {
    return cipher.decrypt(context, body);
  } catch (error) {
    throw new ApiError('IDEMPOTENCY_RESPONSE_UNREADABLE', { cause: error });
  }
}

/** Thrown to roll the transaction back. Carries the stored response, if the first request is done. */
class KeyNotClaimed extends Error {
  override name = 'KeyNotClaimed';
  readonly stored: StoredResponse | null;

  constructor(stored: StoredResponse | null) {
    super('The Idempotency-Key was used before');
    this.stored = stored;
  }
}

/** Starts the work at once. Its first statements travel with the claim; later ones wait until the claim is granted. */
async function workAhead(work: Work, tx: RunInTransaction, claiming: ReturnType<typeof claimKey>) {
  let isAhead = true;
  const runClaimed: RunStatement = async (statement, values) => {
    if (!isAhead && (await claiming) !== true) throw new Error('The Idempotency-Key is not claimed');
    return tx(statement, values);
  };
  const working = work(
    Object.assign(runClaimed, { atCommit: tx.atCommit, requireOwnTransaction: tx.requireOwnTransaction }),
  );
  isAhead = false;
  return working;
}

/** Two requests are the same if method, URL and body are the same, byte for byte. */
function hashRequest(request: IdempotentCall['request']): Buffer {
  const hash = createHash('sha256').update(`${request.method} ${request.url}\n`);
  return hash.update(Buffer.isBuffer(request.body) ? request.body : '').digest();
}
