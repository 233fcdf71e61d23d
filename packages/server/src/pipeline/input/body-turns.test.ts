import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, it } from 'vitest';
import type { ClientConnection } from '../../lib/request/client-connection.ts';
import { BodyTurns } from './body-turns.ts';

const connected: ClientConnection = { isClosed: false, onClose: () => () => undefined };
const large = 150_000;

it('passes one large body on in each turn of the event loop, and lets callers take turns', async () => {
  const turns = new BodyTurns();
  const passedOn: string[] = [];
  const take = (caller: string) =>
    void turns.take(caller, large, connected).then(() => passedOn.push(caller));
  for (let count = 0; count < 20; count++) take('flood');
  take('other');
  const lengths: number[] = [];
  while (passedOn.length < 21) {
    await nextTurn();
    lengths.push(passedOn.length);
  }
  expect(passedOn.indexOf('other')).toBeLessThanOrEqual(2);
  // At most one more in each turn.
  for (const [turn, length] of lengths.entries())
    expect(length - (lengths[turn - 1] ?? 1)).toBeLessThanOrEqual(1);
});

it('leaves out a body whose client has disconnected', async () => {
  const turns = new BodyTurns();
  void turns.take('flood', large, connected);
  const gone: ClientConnection = { isClosed: true, onClose: () => () => undefined };
  await expect(turns.take('flood', large, gone)).rejects.toThrow();
});
