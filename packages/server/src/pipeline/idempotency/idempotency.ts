import { createHash, timingSafeEqual } from 'node:crypto';
import type { FastifyRequest } from 'fastify';
import { ApiError, validationFailed } from '../../api-error.ts';
import type { Caller } from '../../auth/guard.ts';
import type { Database } from '../../database/database.ts';
import type { RunInTransaction, RunStatement } from '../../database/transaction.ts';
import { type AnswerName, claim, type KeptAnswer, keep } from './idempotency-queries.ts';
import type { ResponseCipher } from './response-cipher.ts';

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
  readonly request: Pick<FastifyRequest, 'method' | 'url' | 'body'>;
  readonly caller: Caller;
  readonly key: string;
  /** For answers that hold a secret, which is kept nowhere in the open. */
  readonly seal: ResponseCipher | null;
}

type Work = (run: RunInTransaction) => Promise<Pick<Answer, 'statusCode' | 'body'>>;

/**
 * Does the work and keeps its answer in the same transaction, or gives the answer that is kept already. The key is new
 * nearly always, so the work begins before that is known. If it is not new, nothing of the work stays, and what came of
 * it does not matter.
 */
export async function answerOnce(
  database: Database,
  { request, caller, key, seal }: IdempotentCall,
  work: Work,
): Promise<Answer> {
  const { credential, scope } = caller;
  const name: AnswerName = { credential, keyHash: createHash('sha256').update(key).digest() };
  const requestHash = hashRequest(request);
  const context = `${credential} ${key}`;
  try {
    return await database.transaction(scope, async (run) => {
      const claiming = claim(run, name);
      const [claimed, worked] = await Promise.allSettled([claiming, workAhead(work, run, claiming)]);
      if (claimed.status === 'rejected') throw claimed.reason;
      if (claimed.value !== true) throw new NotTheFirst(claimed.value || null);
      if (worked.status === 'rejected') throw worked.reason;
      const { statusCode, body } = worked.value;
      const keptBody = seal ? seal.close(context, body) : body;
      keep(run, name, scope.walletAddress, { requestHash, statusCode, body: keptBody });
      return { statusCode, body, isReplayed: false };
    });
  } catch (error) {
    if (!(error instanceof NotTheFirst)) throw error;
    const { kept } = error;
    if (!kept) throw new ApiError('IDEMPOTENCY_CONFLICT', { headers: { 'retry-after': retryAfterSeconds } });
    if (!timingSafeEqual(kept.requestHash, requestHash)) throw new ApiError('IDEMPOTENCY_KEY_REUSED');
    const body = seal ? seal.open(context, kept.body) : kept.body;
    return { statusCode: kept.statusCode, body, isReplayed: true };
  }
}

/** Thrown so that the transaction is rolled back; carries the answer that is kept, if the first request is done. */
class NotTheFirst extends Error {
  override name = 'NotTheFirst';
  readonly kept: KeptAnswer | null;

  constructor(kept: KeptAnswer | null) {
    super('The Idempotency-Key was used before');
    this.kept = kept;
  }
}

/** Begins the work at once. What it runs first travels with the claim; what it runs later waits until that is granted. */
async function workAhead(work: Work, run: RunInTransaction, claiming: ReturnType<typeof claim>) {
  let isAhead = true;
  const runClaimed: RunStatement = async (statement, values) => {
    if (!isAhead && (await claiming) !== true) throw new Error('The claim was not granted');
    return run(statement, values);
  };
  const working = work(Object.assign(runClaimed, { atCommit: run.atCommit }));
  isAhead = false;
  return working;
}

/** Two requests are the same when method, address and body are, byte for byte. */
function hashRequest(request: IdempotentCall['request']): Buffer {
  const hash = createHash('sha256').update(`${request.method} ${request.url}\n`);
  return hash.update(Buffer.isBuffer(request.body) ? request.body : '').digest();
}
