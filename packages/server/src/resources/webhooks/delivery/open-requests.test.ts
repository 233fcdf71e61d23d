import fc from 'fast-check';
import { expect, it } from 'vitest';
import { scaled } from '../../../../../../test/support/scale.ts';
import { flagsOf, priorityOf } from './delivery-queries.ts';
import { defaultDeliveryLimits, OpenRequests } from './open-requests.ts';

const { total, unproven, perWebhook } = defaultDeliveryLimits;

it('keeps places for proven endpoints, however many new webhooks hang', () => {
  const requests = new OpenRequests(defaultDeliveryLimits);
  const proven = { webhookId: 'proven', holderId: 'holder 0' };
  requests.recordOutcome('proven', true);
  let hanging = 0;
  for (let number = 0; number < 200; number++) {
    const owner = { webhookId: `new ${number}`, holderId: `holder ${number % 20}` };
    if (requests.begin(owner, 1, false)) hanging++;
  }
  expect(hanging).toBe(unproven);
  expect(requests.begin(proven, 1, false)).not.toBeNull();
});

it('keeps a place for the first webhook of a holder, however many of another one hang', () => {
  const requests = new OpenRequests(defaultDeliveryLimits);
  let hanging = 0;
  for (let number = 0; number < 200; number++)
    if (requests.begin({ webhookId: `new ${number}`, holderId: 'bad' }, 1, false)) hanging++;
  expect(hanging).toBe(unproven / 2);
  expect(requests.begin({ webhookId: 'new', holderId: 'good' }, 1, false)).not.toBeNull();
});

it('counts an endpoint as proven after a success, until it fails', () => {
  const requests = new OpenRequests(defaultDeliveryLimits);
  expect(requests.isProven('one')).toBe(false);
  requests.recordOutcome('one', true);
  expect(requests.isProven('one')).toBe(true);
  requests.recordOutcome('one', false);
  expect(requests.isProven('one')).toBe(false);
});

// A queue that picks jobs as the work queue does: by priority and age, without those that have a forbidden flag. Time is in seconds.

const deadline = 15;
const jobTime = 5;
const kinds = {
  fast: { seconds: 1, fails: false },
  slow: { seconds: 3, fails: false },
  hanging: { seconds: deadline, fails: true },
} as const;
/** The longest job of an endpoint that responds. */
const longestJob = 6;
const lastArrival = 60;
const maxBatches = 6;

interface Job {
  readonly webhookId: string;
  readonly holderId: string;
  readonly kind: keyof typeof kinds;
  readonly attempts: number;
  readonly isRetry: boolean;
  readonly runAt: number;
}
interface OpenJob {
  readonly job: Job;
  readonly wasProven: boolean;
  readonly requests: number;
  readonly rounds: number;
  readonly endsAt: number;
  readonly end: () => void;
}

const endpoints = fc.array(
  fc.record({
    holderId: fc.constantFrom('a', 'b', 'c', 'd'),
    kind: fc.constantFrom<Job['kind']>('fast', 'slow', 'hanging', 'hanging'),
    batches: fc.array(fc.record({ at: fc.nat(lastArrival), attempts: fc.integer({ min: 1, max: 30 }) }), {
      minLength: 1,
      maxLength: maxBatches,
    }),
  }),
  { maxLength: 40, size: 'max' },
);

/** Runs the jobs of these endpoints. Returns for how long each had jobs and none of them was open: before it was proven, and after. */
function simulate(arrivals: readonly Job[]) {
  const requests = new OpenRequests(defaultDeliveryLimits);
  const waiting: Job[] = [];
  const open: OpenJob[] = [];
  const delays = new Map(
    arrivals.map(({ webhookId }) => [webhookId, { proven: 0, unproven: 0, current: 0 }]),
  );
  const check = (added: OpenJob) => {
    const same = open.filter(({ job }) => job.webhookId === added.job.webhookId);
    expect(same.reduce((sum, each) => sum + each.requests, 0)).toBeLessThanOrEqual(perWebhook);
    expect(open.length).toBeLessThanOrEqual(total);
    if (added.wasProven) return;
    // Nothing is sent to an endpoint that still has to prove itself.
    expect(same).toEqual([added]);
    expect(open.filter(({ wasProven }) => !wasProven).length).toBeLessThanOrEqual(unproven);
  };
  const finish = ({ job, rounds, end }: OpenJob, time: number) => {
    end();
    const { fails } = kinds[job.kind];
    if (requests.recordOutcome(job.webhookId, !fails))
      for (const [at, each] of waiting.entries())
        if (each.webhookId === job.webhookId) waiting[at] = { ...each, isRetry: false };
    // Requests that fail are made again much later. The rest of the job comes next.
    const attempts = job.attempts - rounds * perWebhook;
    if (attempts > 0) waiting.push({ ...job, attempts, isRetry: fails, runAt: time });
  };
  const takeNext = (time: number): Job | undefined => {
    if (open.length === total) return;
    const forbidden = new Set(requests.forbiddenFlags);
    const [next] = waiting
      .filter((job) => job.runAt <= time && !flagsOf(job).some((flag) => forbidden.has(flag)))
      .sort((one, other) => priorityOf(one) - priorityOf(other) || one.runAt - other.runAt);
    if (next) waiting.splice(waiting.indexOf(next), 1);
    return next;
  };
  let time = 0;
  for (; time <= lastArrival || waiting.length > 0 || open.length > 0; time++) {
    if (time > 10_000) throw new Error('Some jobs never run');
    waiting.push(...arrivals.filter(({ runAt }) => runAt === time));
    for (const ended of open.filter(({ endsAt }) => endsAt <= time)) {
      open.splice(open.indexOf(ended), 1);
      finish(ended, time);
    }
    for (let job = takeNext(time); job; job = takeNext(time)) {
      const wasProven = requests.isProven(job.webhookId);
      const parallel = Math.min(job.attempts, perWebhook);
      const end = requests.begin(job, parallel, job.isRetry);
      if (!end) {
        waiting.push({ ...job, isRetry: !wasProven, runAt: time + 1 });
        continue;
      }
      const { seconds, fails } = kinds[job.kind];
      const rounds = Math.min(Math.ceil(job.attempts / perWebhook), fails ? 1 : Math.ceil(jobTime / seconds));
      const opened = { job, wasProven, requests: parallel, rounds, endsAt: time + rounds * seconds, end };
      open.push(opened);
      check(opened);
    }
    for (const [webhookId, delay] of delays) {
      const isDelayed =
        waiting.some((job) => job.webhookId === webhookId) &&
        !open.some(({ job }) => job.webhookId === webhookId);
      delay.current = isDelayed ? delay.current + 1 : 0;
      const kind = requests.isProven(webhookId) ? 'proven' : 'unproven';
      delay[kind] = Math.max(delay[kind], delay.current);
    }
  }
  expect(requests.forbiddenFlags).toEqual([]);
  return delays;
}

it('never has too many requests open, lets no endpoint starve, and has none at the end', () => {
  fc.assert(
    fc.property(endpoints, (generated) => {
      const arrivals = generated.flatMap(({ holderId, kind, batches }, index) =>
        batches.map(({ at, attempts }) => ({
          ...{ webhookId: `webhook ${index}`, holderId, kind, attempts, isRetry: false, runAt: at },
        })),
      );
      const delays = simulate(arrivals);
      for (const [index, { holderId, kind }] of generated.entries()) {
        const delay = delays.get(`webhook ${index}`);
        const others = generated.filter((other, at) => at !== index && other.holderId === holderId);
        const working = others.filter((other) => other.kind !== 'hanging').length;
        // With four holders, each has two places of either kind. All jobs of the others that came first may be before this one.
        const turns = (count: number) => 1 + Math.ceil((count * maxBatches) / 2);
        if (kind !== 'hanging')
          expect(delay?.proven).toBeLessThanOrEqual(longestJob * (working === 0 ? 1 : turns(working)));
        expect(delay?.unproven).toBeLessThanOrEqual(deadline * turns(others.length));
      }
    }),
    { numRuns: scaled(40), endOnFailure: true },
  );
});
