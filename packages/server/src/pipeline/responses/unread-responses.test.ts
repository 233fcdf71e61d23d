import { EventEmitter } from 'node:events';
import { describe, expect, it } from 'vitest';
import { UnreadResponses } from './unread-responses.ts';

/** A response that is unread until `close` is emitted. */
class UnreadResponse extends EventEmitter {
  isDestroyed = false;

  destroy(): this {
    this.isDestroyed = true;
    this.emit('close');
    return this;
  }
}

describe('the memory of unread responses', () => {
  it('is bounded for each caller, and given back', () => {
    const unread = new UnreadResponses({ maxBytesPerCaller: 100, minBytes: 10 });
    const responses = [new UnreadResponse(), new UnreadResponse()];
    for (const response of responses) unread.add('a', 50, response as never);
    expect(() => unread.check('a')).toThrow(expect.objectContaining({ code: 'CONCURRENCY_LIMITED' }));
    unread.check('b');
    responses[0]?.emit('close');
    unread.check('a');
    responses[1]?.emit('close');
    expect(unread.bytes).toBe(0);
  });

  it('is not counted for small responses', () => {
    const unread = new UnreadResponses({ maxBytesPerCaller: 100, minBytes: 10 });
    for (let count = 0; count < 100; count++) unread.add('a', 9, new UnreadResponse() as never);
    unread.check('a');
  });

  it('is taken from the caller who holds the most when all together hold too much', () => {
    const unread = new UnreadResponses({ maxBytesPerCaller: 100, maxBytes: 150, minBytes: 1 });
    const [first, second, other, last] = Array.from({ length: 4 }, () => new UnreadResponse());
    unread.add('a', 50, first as never);
    unread.add('a', 50, second as never);
    unread.add('b', 50, other as never);
    unread.add('c', 10, last as never);
    expect([first, second, other, last].map((each) => each?.isDestroyed)).toEqual([
      true,
      false,
      false,
      false,
    ]);
    expect(unread.bytes).toBe(110);
  });
});
