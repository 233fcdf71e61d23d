import type { DecisionResults, Decisions } from '@keyfront/protocol';
import { ApiError, validationFailed } from '../../lib/errors/api-error.ts';

/** Decides one thing. Returns whether it has changed anything. */
export type Decide = (
  id: string,
  change: Pick<Decisions, 'adminApproval'> & { readonly rejectionNote?: string },
) => Promise<boolean>;

/**
 * Decides each thing of a request, one after the other and each in a transaction of its own: no lock is held for longer than one
 * decision takes, and what cannot be decided keeps nothing else from being decided.
 */
export async function decideEach(
  { adminApproval, ids, note }: Decisions,
  decide: Decide,
): Promise<DecisionResults> {
  if (note !== undefined && adminApproval !== 'REJECTED') {
    throw validationFailed(['note needs adminApproval to be REJECTED']);
  }
  const change = { adminApproval, ...(note !== undefined && { rejectionNote: note }) };
  const results: DecisionResults['results'] = [];
  for (const id of new Set(ids.map((each) => each.toLowerCase()))) {
    try {
      const outcome = (await decide(id, change)) ? 'CHANGED' : 'UNCHANGED';
      results.push({ id, outcome, code: null, message: null });
    } catch (error) {
      // Anything else is a fault of the service, and ends the request. What was decided stays decided.
      if (!(error instanceof ApiError) || error.status >= 500) throw error;
      results.push({ id, outcome: 'REFUSED', code: error.code, message: error.message });
    }
  }
  return { results };
}
