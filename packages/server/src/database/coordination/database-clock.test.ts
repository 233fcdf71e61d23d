import fc from 'fast-check';
import { expect, it } from 'vitest';
import { DatabaseClock } from './database-clock.ts';

/** Clocks of a machine and of its database, which a test sets. */
function setUp(aheadMs = 0) {
  const world = { elapsedMs: 0, databaseMs: 1_000_000_000, aheadMs, roundTripMs: 0 };
  const reported: number[] = [];
  const pass = (ms: number) => {
    world.elapsedMs += ms;
    world.databaseMs += ms;
  };
  const clock = new DatabaseClock({
    read: async () => {
      pass(world.roundTripMs / 2);
      const { databaseMs } = world;
      pass(world.roundTripMs / 2);
      return databaseMs;
    },
    now: () => world.databaseMs + world.aheadMs,
    elapsed: () => world.elapsedMs,
    onDifference: (seconds) => reported.push(seconds),
  });
  return { world, reported, pass, clock };
}

it('is that of the database, wherever the clock of the machine goes', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(
        fc.oneof(
          fc.record({ pass: fc.integer({ min: 0, max: 1e6 }) }),
          fc.record({ set: fc.integer({ min: -1e8, max: 1e8 }) }),
          fc.record({ check: fc.integer({ min: 0, max: 2_000 }) }),
        ),
      ),
      async (steps) => {
        const { world, clock, pass } = setUp();
        await clock.check();
        for (const step of steps) {
          if ('pass' in step) pass(step.pass);
          else if ('set' in step) world.aheadMs = step.set;
          else {
            world.roundTripMs = step.check;
            await clock.check();
          }
          expect(Math.abs(clock.now() - world.databaseMs)).toBeLessThan(0.01);
        }
      },
    ),
  );
});

it('reports a machine whose clock is wrong by more than a few seconds', async () => {
  for (const [aheadMs, seconds] of [
    [0, []],
    [4_000, []],
    [6_000, [6]],
    [-3_600_000, [-3_600]],
  ] as const) {
    const { clock, reported } = setUp(aheadMs);
    await clock.check();
    expect(reported).toEqual(seconds);
    expect(clock.aheadSeconds).toBeCloseTo(aheadMs / 1_000);
  }
});

it('keeps what it knows if the database responds late', async () => {
  const { world, clock, reported } = setUp(60_000);
  world.roundTripMs = 2_001;
  await clock.check();
  expect(reported).toEqual([]);
  // Until then it is the clock of the machine.
  expect(clock.now() - world.databaseMs).toBe(60_000);
});
