import fc from 'fast-check';
import { expect, it } from 'vitest';
import { scaled } from '../../../test/support/scale.ts';
import { FairQueue, type Place } from './fair-queue.ts';

const callers = ['a', 'b', 'c', 'd'] as const;
const options = {
  maxConcurrent: 3,
  maxConcurrentPerCaller: 2,
  maxQueued: 6,
  maxQueuedPerCaller: 4,
  queueTimeoutMs: 100,
  rejectionDelayMs: 0,
};

const rejections = { overloaded: new Error(), callerLimited: new Error(), disconnected: new Error() };

/** A request as its sender sees it. */
interface Sent {
  readonly caller: string;
  readonly since: number;
  readonly client: { isClosed: boolean };
  state: 'waiting' | 'active' | 'done' | 'rejected';
  place?: Place;
  isStalled: boolean;
  /** How many requests of others were admitted while this one was the first of its caller, and could be admitted. */
  overtaken: number;
}

type Step =
  | { readonly type: 'arrive'; readonly caller: string }
  | { readonly type: 'release'; readonly which: number; readonly cost: number; readonly again: boolean }
  | { readonly type: 'disconnect'; readonly which: number }
  | { readonly type: 'stall'; readonly which: number; readonly isStalled: boolean }
  | { readonly type: 'pass'; readonly ms: number };

const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 5, arbitrary: fc.record({ type: fc.constant('arrive'), caller: fc.constantFrom(...callers) }) },
  {
    weight: 4,
    arbitrary: fc.record({
      type: fc.constant('release'),
      which: fc.nat(5),
      cost: fc.constantFrom(1, 1, 1, 7),
      again: fc.boolean(),
    }),
  },
  { weight: 1, arbitrary: fc.record({ type: fc.constant('disconnect'), which: fc.nat(5) }) },
  {
    weight: 2,
    arbitrary: fc.record({ type: fc.constant('stall'), which: fc.nat(5), isStalled: fc.boolean() }),
  },
  { weight: 2, arbitrary: fc.record({ type: fc.constant('pass'), ms: fc.constantFrom(10, 60, 101) }) },
);

/** Runs the promises that are settled, and rejections without a delay. */
const settle = () => new Promise((resolve) => setTimeout(resolve, 0));

/** Sends requests to a queue, and compares what becomes of them with what must hold after each step. */
class Simulation {
  #now = 0;
  readonly #sent: Sent[] = [];
  readonly #queue = new FairQueue({ ...options, now: () => this.#now }, rejections);

  async run(steps: readonly Step[]): Promise<void> {
    for (const next of steps) {
      this.#take(next);
      await settle();
      this.#check();
    }
    await this.#finish();
  }

  #take(next: Step): void {
    if (next.type === 'arrive') this.#arrive(next.caller);
    if (next.type === 'release') {
      const request = pick(this.#in('active'), next.which);
      if (!request) return;
      request.state = 'done';
      request.place?.release(next.cost);
      if (next.again) request.place?.release(next.cost);
    }
    if (next.type === 'disconnect') {
      const request = pick(this.#in('waiting'), next.which);
      if (request) request.client.isClosed = true;
    }
    if (next.type === 'stall') {
      const request = pick(this.#in('active'), next.which);
      request?.place?.setStalled(next.isStalled);
      if (request) request.isStalled = next.isStalled;
    }
    if (next.type === 'pass') {
      this.#now += next.ms;
      this.#queue.rejectTimedOut();
    }
  }

  #arrive(caller: string): void {
    const client = { isClosed: false };
    const request: Sent = {
      ...{ caller, since: this.#now, client },
      ...{ state: 'waiting', isStalled: false, overtaken: 0 },
    };
    const own = this.#in('active').filter((active) => active.caller === caller);
    const wouldWaitForStalled =
      own.length === options.maxConcurrentPerCaller && own.every(({ isStalled }) => isStalled);
    const onAdmitted = (place: Place) => {
      expect(request.state).toBe('waiting');
      for (const other of this.#inFront(caller)) other.overtaken++;
      Object.assign(request, { state: 'active', place });
    };
    this.#sent.push(request);
    const waiting = this.#queue.queued;
    const admission = this.#queue.admit(caller, client);
    if (!(admission instanceof Promise)) onAdmitted(admission);
    else admission.then(onAdmitted, () => Object.assign(request, { state: 'rejected' }));
    const isInQueue = this.#queue.queued > waiting;
    if (wouldWaitForStalled) expect(isInQueue).toBe(false);
  }

  #check(): void {
    const active = this.#in('active');
    const waiting = this.#in('waiting');
    // Nothing is lost, and nothing is counted twice.
    expect([this.#queue.active, this.#queue.queued]).toEqual([active.length, waiting.length]);
    expect(active.length).toBeLessThanOrEqual(options.maxConcurrent);
    expect(waiting.length).toBeLessThanOrEqual(options.maxQueued);
    for (const caller of callers) {
      const own = this.#activeOf(caller);
      expect(own).toBeLessThanOrEqual(options.maxConcurrentPerCaller);
      const line = waiting.filter((request) => request.caller === caller);
      expect(line.length).toBeLessThanOrEqual(options.maxQueuedPerCaller);
      // No place is free that a waiting request could take.
      if (line.length > 0 && active.length < options.maxConcurrent) {
        expect(own).toBe(options.maxConcurrentPerCaller);
      }
      // First in, first out.
      const latest = this.#sent.findLast((request) => request.caller === caller && request.place);
      for (const request of line) {
        if (latest) expect(this.#sent.indexOf(latest)).toBeLessThan(this.#sent.indexOf(request));
      }
    }
    for (const request of waiting) {
      expect(request.since).toBeGreaterThan(this.#now - options.queueTimeoutMs);
      expect(request.overtaken).toBeLessThanOrEqual(maxOvertaken);
    }
  }

  /** Everybody who still waits is admitted in the end, and then the queue is as good as new. */
  async #finish(): Promise<void> {
    for (let active = this.#in('active'); active.length > 0; active = this.#in('active')) {
      for (const request of active) {
        request.state = 'done';
        request.place?.release();
      }
      await settle();
      this.#check();
    }
    expect(this.#in('waiting')).toEqual([]);
    expect([this.#queue.active, this.#queue.queued]).toEqual([0, 0]);
    for (const caller of ['a', 'b', 'a']) this.#arrive(caller);
    expect(this.#in('active')).toHaveLength(options.maxConcurrent);
  }

  #in(state: Sent['state']): Sent[] {
    return this.#sent.filter((request) => request.state === state);
  }

  #activeOf(caller: string): number {
    return this.#in('active').filter((request) => request.caller === caller).length;
  }

  /** The first waiting request of each other caller that is below its own limit. */
  #inFront(caller: string): Sent[] {
    const waiting = this.#in('waiting');
    return callers
      .filter((other) => other !== caller && this.#activeOf(other) < options.maxConcurrentPerCaller)
      .flatMap((other) => waiting.find((request) => request.caller === other) ?? []);
  }
}

/** With work that costs 7 at the most, three other callers overtake a request by their share and what is under way. */
const maxOvertaken = (callers.length - 1) * (7 + options.maxConcurrent) * 2;

function pick<Item>(items: readonly Item[], index: number): Item | undefined {
  return items.length === 0 ? undefined : items[index % items.length];
}

it('never exceeds its limits, loses nothing, starves nobody and is idle at the end', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 120 }), (steps) => new Simulation().run(steps)),
    { numRuns: scaled(160) },
  );
});
