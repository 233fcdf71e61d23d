import type { DecisionResults, Decisions } from '@keyfront/sdk';

/** What an administrator decides about clients or orders. */
export type Decision =
  | { readonly adminApproval: 'VERIFIED' }
  | { readonly adminApproval: 'REJECTED'; readonly note?: string };

/** What the service has refused to decide, and why. */
export interface Refusal {
  readonly id: string;
  readonly reason: string;
}

/** What one request may decide. */
const mostIds = 500;

/** Decides about all of them with as few requests as possible, and returns what was refused. */
export async function decideAll(
  ids: readonly string[],
  decision: Decision,
  send: (decisions: Decisions) => Promise<DecisionResults>,
): Promise<Refusal[]> {
  const refusals: Refusal[] = [];
  for (let start = 0; start < ids.length; start += mostIds) {
    const { results } = await send({ ...decision, ids: ids.slice(start, start + mostIds) });
    for (const { id, outcome, code, message } of results) {
      if (outcome === 'REFUSED') refusals.push({ id, reason: message ?? code ?? 'Refused' });
    }
  }
  return refusals;
}
