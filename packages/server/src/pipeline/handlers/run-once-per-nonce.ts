import type { FastifyRequest } from 'fastify';
import type { CallerScope, GuardedAccess } from '../../auth/guard.ts';
import { NonceExpired, NonceRepeated } from '../../database/transactions/request-nonce.ts';
import type { PipelineDependencies } from './pipeline-dependencies.ts';

interface SignedChange<Result> {
  readonly request: FastifyRequest;
  readonly access: GuardedAccess;
  readonly scope: CallerScope;
  readonly change: () => Promise<Result>;
}

/** Runs a change once: with a bound signature, its nonce is stored with the change, and a repeated one is the 401. */
export async function runOncePerNonce<Result>(
  { guard, database }: Pick<PipelineDependencies, 'guard' | 'database'>,
  { request, access, scope, change }: SignedChange<Result>,
): Promise<Result> {
  if (scope.role !== 'holder' || !scope.nonce) return change();
  try {
    const result = await change();
    // A change without a transaction of its own, such as the stored response to an `Idempotency-Key`.
    if (scope.nonce.isFree) await database.transaction(scope, async () => undefined);
    return result;
  } catch (error) {
    if (error instanceof NonceRepeated && guard.rejectNonce)
      return guard.rejectNonce(request, access, 'repeated');
    if (error instanceof NonceExpired && guard.rejectNonce)
      return guard.rejectNonce(request, access, 'expired');
    throw error;
  }
}
