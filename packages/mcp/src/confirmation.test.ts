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
