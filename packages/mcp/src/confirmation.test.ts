import { afterEach, describe, expect, it, vi } from 'vitest';
import { type ConfirmationStates, confirm } from './confirmation.ts';
import { listTools, type OperationTool } from './tools.ts';

const tool = listTools().get('createOrder') as OperationTool;
const states: ConfirmationStates = {
  encrypt: (state) => state.reverse(),
  decrypt: (encrypted) => encrypted.reverse(),
  useOnce: async () => true,
};
const accepted = { confirm: { action: 'accept', content: {} } };

afterEach(() => {
  vi.useRealTimers();
});

describe('an agreement', () => {
  it.each([
    [59, 'accepted'],
    [61, 'asked'],
  ])('after %i minutes is %s', (minutes, kind) => {
    vi.useFakeTimers();
    const asked = confirm(tool, {}, { responses: undefined, state: undefined }, states);
    const state = asked.kind === 'asked' ? asked.question.requestState : undefined;
    vi.advanceTimersByTime(minutes * 60_000);
    expect(confirm(tool, {}, { responses: accepted, state }, states).kind).toBe(kind);
  });
});

describe('a question', () => {
  it('shows characters that would mislead the user', () => {
    const note = 'a\u202eb\u200bc\u2028d\u0085e\u{e0041}f größer 🌱';
    const asked = confirm(tool, { note }, { responses: undefined, state: undefined }, states);
    const question = JSON.stringify(asked);
    expect(question).not.toMatch(/[\p{Cf}\p{Zl}\p{Zp}\u0085]/u);
    const [, shown = ''] =
      /with:\n(.*)$/s.exec(
        Object.values(JSON.parse(question).question.inputRequests as object)[0].params.message,
      ) ?? [];
    expect(shown).toContain('größer 🌱');
    expect(JSON.parse(shown)).toEqual({ note });
  });
});
