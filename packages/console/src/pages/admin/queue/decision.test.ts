import type { DecisionResults } from '@keyfront/sdk';
import { expect, it } from 'vitest';
import { type Decide, decideAll } from './decision.ts';

const ids = Array.from({ length: 250 }, (_, index) => String(index));
const decision = { adminApproval: 'REJECTED', note: 'Why' } as const;

/** A service that refuses one, and writes down how many each request was about. */
function startService(refused = '') {
  const sent: { readonly count: number; readonly key: string }[] = [];
  const send: Decide = async ({ ids, ...made }, { idempotencyKey }): Promise<DecisionResults> => {
    sent.push({ count: ids.length, key: idempotencyKey });
    expect(made).toEqual(decision);
    const results = ids.map((id) =>
      id === refused
        ? ({ id, outcome: 'REFUSED', code: 'ORDER_CLOSED', message: 'A cancelled order' } as const)
        : ({ id, outcome: 'CHANGED', code: null, message: null } as const),
    );
    return { results };
  };
  return { sent, send };
}

it('decides about many in few requests, and says what was refused', async () => {
  const { sent, send } = startService('201');
  const progress: number[] = [];
  const outcome = await decideAll(ids, decision, send, {
    onProgress: (_done, decidedCount) => progress.push(decidedCount),
  });
  expect(outcome.refusals).toEqual([{ id: '201', reason: 'A cancelled order' }]);
  expect([outcome.done.length, outcome.unsent, outcome.error]).toEqual([249, [], null]);
  expect(sent.map(({ count }) => count)).toEqual([...Array(12).fill(20), 10]);
  expect(new Set(sent.map(({ key }) => key)).size).toBe(13);
  expect(progress).toEqual([...Array.from({ length: 12 }, (_, index) => 20 * (index + 1)), 250]);
});

it('stops between requests, and says what no request was sent for', async () => {
  const { send } = startService();
  const stop = new AbortController();
  const outcome = await decideAll(ids, decision, send, {
    onProgress: () => stop.abort(),
    signal: stop.signal,
  });
  expect([outcome.done.length, outcome.unsent.length, outcome.error]).toEqual([20, 230, null]);
});

it('ends with the first request that fails', async () => {
  const { sent, send } = startService();
  const outcome = await decideAll(ids, decision, async (decisions, options) => {
    if (sent.length === 1) throw new Error('No connection');
    return send(decisions, options);
  });
  expect([outcome.done.length, outcome.unsent.length, outcome.error?.message]).toEqual([
    20,
    230,
    'No connection',
  ]);
});
