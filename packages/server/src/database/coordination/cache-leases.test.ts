import fc from 'fast-check';
import { expect, it } from 'vitest';
import { VanishedLeases } from './cache-leases.ts';

const trustMs = 3_000;
const timeoutMs = 5_000;
const processCount = 3;

/** A session in PostgreSQL. It holds its locks while it is alive. */
interface Session {
  readonly lease: number;
  isAlive: boolean;
  /** Whether packets arrive, in both directions. */
  isConnected: boolean;
  acknowledged: number;
}

interface Process {
  session: Session | null;
  trustedUntil: number;
  /** The last change that the cached value has seen. Null: nothing is cached. */
  cached: number | null;
  readonly vanished: VanishedLeases;
}

/** A database and the processes that cache what it says. Time passes only between steps. */
class World {
  now = 0;
  change = 0;
  /** Whether waits include leases of sessions that have ended. */
  readonly #countsLeases: boolean;
  #lastLease = 0;
  readonly #leases = new Set<number>();
  readonly #sessions: Session[] = [];
  readonly #waits: { readonly change: number; readonly deadline: number }[] = [];
  readonly processes: readonly Process[];

  constructor(countsLeases = true) {
    this.#countsLeases = countsLeases;
    this.processes = Array.from({ length: processCount }, () => ({
      session: null,
      trustedUntil: Number.NEGATIVE_INFINITY,
      cached: null,
      vanished: new VanishedLeases(trustMs),
    }));
    for (const each of this.processes) this.connect(each);
  }

  trusts({ session, trustedUntil }: Process): boolean {
    return session !== null && this.now < trustedUntil;
  }

  listVanished(): number[] {
    const alive = this.#sessions.filter(({ isAlive }) => isAlive).map(({ lease }) => lease);
    return [...this.#leases].filter((lease) => !alive.includes(lease));
  }

  /** A process replaces its session, and clears its cache. */
  connect(process: Process): void {
    if (process.session) {
      this.#leases.delete(process.session.lease);
      if (process.session.isConnected) process.session.isAlive = false;
    }
    const session = { lease: ++this.#lastLease, isAlive: true, isConnected: true, acknowledged: this.change };
    this.#leases.add(session.lease);
    this.#sessions.push(session);
    Object.assign(process, { session, cached: null, trustedUntil: this.now + trustMs });
  }

  /** The network loses everything between a process and its session. */
  cut({ session }: Process): void {
    if (session) session.isConnected = false;
  }

  /** PostgreSQL ends the sessions whose clients it has not heard of for long. */
  endSilent(): void {
    for (const session of this.#sessions) if (!session.isConnected) session.isAlive = false;
  }

  /** PostgreSQL ends a session. Its process learns of it if there is a connection. */
  end(process: Process): void {
    const { session } = process;
    if (!session) return;
    session.isAlive = false;
    if (session.isConnected) process.trustedUntil = Number.NEGATIVE_INFINITY;
  }

  cache(process: Process): void {
    if (this.trusts(process)) process.cached ??= this.change;
  }

  /** A process hears of all changes. */
  deliver(process: Process): void {
    const { session } = process;
    if (!session?.isAlive || !session.isConnected || session.acknowledged === this.change) return;
    process.cached = null;
    session.acknowledged = this.change;
  }

  /** A heartbeat brings the notifications before its result. A process that misses one too many replaces its session. */
  beat(process: Process, responseMs: number): void {
    const { session } = process;
    if (session?.isAlive && session.isConnected) {
      process.trustedUntil = this.now + trustMs;
      this.deliver(process);
      const vanished = this.listVanished();
      this.pass(responseMs);
      for (const lease of process.vanished.findOver(vanished, this.now)) this.#leases.delete(lease);
    } else if (!this.trusts(process)) this.connect(process);
  }

  revoke(): void {
    this.change++;
    this.#waits.push({ change: this.change, deadline: this.now + timeoutMs });
  }

  pass(ms: number): void {
    this.now += ms;
    this.#endWaits();
  }

  /** Ends the waits that need not continue. Nobody may then use what was cached before the change. */
  #endWaits(): void {
    const lowest = Math.min(
      ...this.#sessions.filter(({ isAlive }) => isAlive).map(({ acknowledged }) => acknowledged),
    );
    const mustWait = this.#countsLeases && this.listVanished().length > 0;
    for (const wait of [...this.#waits]) {
      if (this.now < wait.deadline && (mustWait || lowest < wait.change)) continue;
      this.#waits.splice(this.#waits.indexOf(wait), 1);
      for (const process of this.processes)
        if (this.trusts(process) && process.cached !== null)
          expect(process.cached).toBeGreaterThanOrEqual(wait.change);
    }
  }
}

/** Usually short: within the time for which a process trusts its cache. */
const ms = fc.oneof({ weight: 3, arbitrary: fc.nat({ max: 50 }) }, fc.nat({ max: 1_500 }));
const step = fc.tuple(
  fc.constantFrom('beat', 'deliver', 'cache', 'cut', 'end', 'endSilent', 'connect', 'revoke'),
  fc.nat({ max: processCount - 1 }),
  ms,
);
type Step = typeof step extends fc.Arbitrary<infer Value> ? Value : never;

function play(world: World, steps: readonly Step[]): void {
  for (const [name, index, passedMs] of steps) {
    const process = world.processes[index];
    if (!process) continue;
    if (name === 'revoke' || name === 'endSilent') world[name]();
    else if (name === 'beat') world.beat(process, passedMs);
    else world[name](process);
    world.pass(name === 'beat' ? 0 : passedMs);
  }
}

const histories = fc.array(step, { maxLength: 60, size: 'max' });

it('no process uses what it cached before a change after the wait for the change', () => {
  fc.assert(
    fc.property(histories, (steps) => play(new World(), steps)),
    { numRuns: 2_000 },
  );
});

it('without leases, a session that ends unnoticed ends the wait too early', () => {
  const result = fc.check(
    fc.property(histories, (steps) => play(new World(false), steps)),
    { numRuns: 2_000 },
  );
  expect(result.failed).toBe(true);
});

it('leases of sessions that have ended are over soon, as long as one process is alive', () => {
  fc.assert(
    fc.property(histories, (steps) => {
      const world = new World();
      play(world, steps);
      const [survivor] = world.processes;
      if (!survivor) return;
      world.connect(survivor);
      for (let beats = 0; beats < 5; beats++) {
        world.beat(survivor, 0);
        world.pass(1_000);
      }
      expect(world.listVanished()).toEqual([]);
    }),
  );
});
