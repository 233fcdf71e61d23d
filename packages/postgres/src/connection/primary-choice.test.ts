import fc from 'fast-check';
import { expect, it } from 'vitest';
import { PrimaryChoice, type ServerReport } from './primary-choice.ts';

/** What a promotion or a restore begins: data that no other server has, unless it is copied from this one. */
interface Branch {
  readonly timeline: number;
}

interface Server {
  branch: Branch;
  isStandby: boolean;
  isRunning: boolean;
  /** Whether the service reaches it. Others may reach it all the same. */
  isReachable: boolean;
  startedAt: number;
}

const serverCount = 3;

/** A cluster, and a process that chooses one of its servers. */
class World {
  readonly choice = new PrimaryChoice();
  readonly servers: Server[];
  /** The branches that the process has seen on a server that accepts writes. */
  readonly #seen = new Set<Branch>();
  #starts = 0;

  constructor() {
    const branch = { timeline: 1 };
    this.servers = Array.from({ length: serverCount }, (_, index) => ({
      branch,
      isStandby: index > 0,
      isRunning: true,
      isReachable: true,
      startedAt: ++this.#starts,
    }));
  }

  #restart(server: Server, change: Partial<Server>): void {
    Object.assign(server, change, { isRunning: true, startedAt: ++this.#starts });
  }

  promote(server: Server): void {
    if (!server.isStandby || !server.isRunning) return;
    server.branch = { timeline: server.branch.timeline + 1 };
    server.isStandby = false;
  }

  /** Becomes a copy of another server, by a base backup or a rewind. */
  follow(server: Server, other: Server): void {
    if (other !== server && other.isRunning) this.#restart(server, { branch: other.branch, isStandby: true });
  }

  /** Gets the data of a backup, of any age or of another cluster. */
  restore(server: Server, _other: Server, timeline: number): void {
    this.#restart(server, { branch: { timeline }, isStandby: false });
  }

  stop(server: Server): void {
    server.isRunning = false;
  }

  start(server: Server): void {
    if (!server.isRunning) this.#restart(server, {});
  }

  /** Comes back as a standby before it is promoted again, as failover managers do it. */
  startAsStandby(server: Server): void {
    if (!server.isRunning) this.#restart(server, { isStandby: true });
  }

  cut(server: Server): void {
    server.isReachable = false;
  }

  heal(server: Server): void {
    server.isReachable = true;
  }

  check(): void {
    this.choice.observe(this.servers.map(report));
    for (const server of this.servers) if (report(server)?.acceptsWrites) this.#seen.add(server.branch);
    for (const server of this.servers) {
      if (!this.isUsed(server)) continue;
      // Wherever it is, and whether or not it runs or is reachable.
      const successors = this.servers.filter(
        ({ branch }) => this.#seen.has(branch) && branch.timeline > server.branch.timeline,
      );
      expect(successors).toEqual([]);
    }
  }

  isUsed(server: Server): boolean {
    const found = report(server);
    return found?.acceptsWrites === true && !this.choice.isSuperseded(found);
  }
}

function report({ branch, isStandby, isRunning, isReachable, startedAt }: Server): ServerReport | null {
  if (!isRunning || !isReachable) return null;
  return { acceptsWrites: !isStandby, timeline: branch.timeline, startedAt: `${startedAt}` };
}

const index = fc.nat({ max: serverCount - 1 });
const step = fc.tuple(
  fc.oneof(
    { weight: 2, arbitrary: fc.constant('check' as const) },
    {
      weight: 3,
      arbitrary: fc.constantFrom(
        ...(['promote', 'follow', 'restore', 'stop', 'start', 'startAsStandby', 'cut', 'heal'] as const),
      ),
    },
  ),
  index,
  index,
  fc.integer({ min: 1, max: 4 }),
);
type Step = typeof step extends fc.Arbitrary<infer Value> ? Value : never;
const histories = fc.array(step, { maxLength: 60, size: 'max' });

function play(world: World, steps: readonly Step[]): void {
  for (const [name, first, second, timeline] of steps) {
    const [server, other] = [world.servers[first], world.servers[second]];
    if (server && other) world[name](server, other, timeline);
  }
}

it('uses no primary while a server may exist that was promoted after it', { tags: ['long'] }, () => {
  fc.assert(
    fc.property(histories, (steps) => play(new World(), steps)),
    { numRuns: 1_500 },
  );
});

it('uses the only primary once all servers respond and have its data, whatever happened before', () => {
  fc.assert(
    fc.property(histories, index, fc.integer({ min: 1, max: 4 }), (steps, chosen, timeline) => {
      const world = new World();
      play(world, steps);
      const primary = world.servers[chosen];
      if (!primary) return;
      world.restore(primary, primary, timeline);
      for (const server of world.servers) {
        world.heal(server);
        world.follow(server, primary);
      }
      for (let checks = 0; checks < 3; checks++) world.check();
      expect(world.isUsed(primary)).toBe(true);
    }),
    { numRuns: 500 },
  );
});
