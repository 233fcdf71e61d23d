import fc from 'fast-check';
import { expect, it } from 'vitest';
import { formatEventId, parseEventId } from './event-id.ts';

const anyEvent = fc.record({
  transactionNumber: fc.maxSafeNat(),
  sequenceNumber: fc.nat({ max: 2 ** 40 - 1 }),
  createdAtMs: fc.nat({ max: 2 ** 48 - 1 }),
});
const format = ({ createdAtMs, ...position }: ReturnType<typeof parseEventId>) =>
  formatEventId(position, new Date(createdAtMs).toISOString());

it('reads every id that it makes', () => {
  fc.assert(
    fc.property(anyEvent, (event) => {
      expect(format(event)).toMatch(/^evt_[0-9a-v]{29}$/);
      expect(parseEventId(format(event))).toEqual(event);
    }),
  );
});

it('makes ids that sort in the order of the events', () => {
  fc.assert(
    fc.property(anyEvent, anyEvent, (one, other) => {
      const order =
        one.transactionNumber - other.transactionNumber || one.sequenceNumber - other.sequenceNumber;
      if (order !== 0) expect(format(one) < format(other)).toBe(order < 0);
    }),
  );
});
