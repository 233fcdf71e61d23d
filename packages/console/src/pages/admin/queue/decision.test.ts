import type { DecisionResults, Decisions } from '@keyfront/sdk';
import { expect, it } from 'vitest';
import { decideAll } from './decision.ts';

it('decides about many at once, and returns what was refused', async () => {
  const sent: Decisions[] = [];
  const send = async (decisions: Decisions): Promise<DecisionResults> => {
    sent.push(decisions);
    const results = decisions.ids.map((id) =>
      id === '501'
        ? ({ id, outcome: 'REFUSED', code: 'ORDER_CLOSED', message: 'A cancelled order' } as const)
        : ({ id, outcome: 'CHANGED', code: null, message: null } as const),
    );
    return { results };
  };
  const ids = Array.from({ length: 502 }, (_, index) => String(index));
  const refusals = await decideAll(ids, { adminApproval: 'REJECTED', note: 'Why' }, send);
  expect(refusals).toEqual([{ id: '501', reason: 'A cancelled order' }]);
  expect(sent.map(({ ids, ...decision }) => [ids.length, decision])).toEqual([
    [500, { adminApproval: 'REJECTED', note: 'Why' }],
    [2, { adminApproval: 'REJECTED', note: 'Why' }],
  ]);
});
