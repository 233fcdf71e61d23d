import type { DecisionResults, Decisions } from '@keyfront/sdk';
import { texts } from '../../../texts/admin-queue.ts';

/** What an administrator decides about clients or orders. */
export type Decision = Pick<Decisions, 'adminApproval' | 'note'>;

/** Sends one request. */
export type Decide = (
  decisions: Decisions,
  options: { readonly idempotencyKey: string },
) => Promise<DecisionResults>;

/** What was not decided, and why. */
export interface Refusal {
  readonly id: string;
  readonly reason: string;
}

/** What became of many decisions. */
export interface Outcome {
  /** Those that are as they were decided now. */
  readonly done: readonly string[];
  readonly refusals: readonly Refusal[];
  /** Those that no request was sent for, because somebody stopped it or a request has failed. */
  readonly unsent: readonly string[];
  /** Why it ended early, unless somebody stopped it. */
  readonly error: Error | null;
}

interface Progress {
  /** Told after each request what is done now, and how many are decided in all. */
  readonly onProgress?: (done: readonly string[], decidedCount: number) => void;
  /** Stops before the next request. */
  readonly signal?: AbortSignal;
}

/** What one request decides. The service takes 500, but whoever stops it has to stop it before most of it is done. */
const idsPerRequest = 20;

/** Decides about all of them, with as many at once as a request decides. */
export async function decideAll(
  ids: readonly string[],
  decision: Decision,
  send: Decide,
  { onProgress, signal }: Progress = {},
): Promise<Outcome> {
  const done: string[] = [];
  const refusals: Refusal[] = [];
  for (let start = 0; start < ids.length; start += idsPerRequest) {
    if (signal?.aborted) return { done, refusals, unsent: ids.slice(start), error: null };
    const sent = ids.slice(start, start + idsPerRequest);
    try {
      // The client repeats a request that was not answered, with the same key.
      const { results } = await send({ ...decision, ids: sent }, { idempotencyKey: crypto.randomUUID() });
      const decided = results.filter(({ outcome }) => outcome !== 'REFUSED').map(({ id }) => id);
      done.push(...decided);
      for (const { id, outcome, code, message } of results) {
        if (outcome === 'REFUSED') refusals.push({ id, reason: message ?? code ?? texts.refused });
      }
      onProgress?.(decided, done.length + refusals.length);
    } catch (error) {
      // What of the last request is done, nobody knows. To decide it again changes nothing.
      return { done, refusals, unsent: ids.slice(start), error: error as Error };
    }
  }
  return { done, refusals, unsent: [], error: null };
}
