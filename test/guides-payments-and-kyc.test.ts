import { describe, expect, it } from 'vitest';
import { kycTransitions, paymentTransitions } from '../packages/server/src/resources/states/transitions.ts';
import { readCode, readDocument, readMoves, readTables } from './support/guide-programs.ts';
import { listMoves, type TransitionTable } from './support/state-diagrams.ts';

const guide = readDocument('docs/guides/payments-and-kyc.md');

describe('the guide to payments and identity checks', () => {
  it('shows exactly the transitions of an identity check', () => {
    expect(readMoves(guide, '`kycStatus`').sort()).toEqual(listMoves(kycTransitions));
  });

  it.each<[string, string, TransitionTable]>([
    ['kycStatus', '`kycStatus`', kycTransitions],
    ['paymentStatus', 'Pay an order', paymentTransitions],
  ])('names who makes each transition of %s', (field, heading, transitions) => {
    const table = readTables(guide, heading).find((rows) => rows.some(([who]) => who === 'The provider'));
    const actors = { provider: 'PROVIDER', administrator: 'ADMINISTRATOR', holder: 'HOLDER' };
    expect(table, field).toHaveLength(3);
    for (const [who = '', text = ''] of table ?? []) {
      const [, name] = Object.entries(actors).find(([word]) => who.includes(word)) ?? [];
      const moves = text.split(';').flatMap((clause) => {
        const [from, ...following] = readCode(clause);
        return following.map((to) => `${from} --> ${to}`);
      });
      const expected = listMoves({ only: transitions[String(name)] ?? {} });
      expect(['[*] --> PENDING', ...moves].sort(), who).toEqual(expected);
    }
  });
});
