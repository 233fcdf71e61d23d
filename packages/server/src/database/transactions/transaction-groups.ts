import { AsyncResource } from 'node:async_hooks';
import { MergeMismatch, type SharedWork } from './merged-statements.ts';
import { isCertainlyRolledBack } from './transaction.ts';

/** A transaction that may be shared with others. */
export interface Shareable<Result> {
  /** Two transactions with a key in common never share one. */
  readonly conflictKeys: readonly string[];
  /** The work in a shared transaction. */
  readonly work: SharedWork<Result>;
  /** Runs the same work in a transaction of its own. */
  readonly runAlone: () => Promise<Result>;
}

/** Runs works in one transaction, once. Rejects if it was not committed. */
export type RunTogether<Context> = <Result>(
  context: Context,
  works: readonly SharedWork<Result>[],
) => Promise<PromiseSettledResult<Result>[]>;

/** How many requests were in shared transactions. */
export interface SharedRequests {
  committed: number;
  /** Run again alone. */
  repeated: number;
}

interface Member extends Shareable<unknown> {
  /** The asynchronous context of the request, to which the traces of its statements belong. */
  readonly request: AsyncResource;
  readonly resolve: (result: unknown) => void;
  readonly reject: (error: unknown) => void;
}

/** The transactions of one caller. It exists only while the caller has any. */
interface Lane<Context> {
  readonly context: Context;
  /** The conflict keys of each transaction that is running. */
  readonly running: Set<readonly string[]>;
  waiting: Member[];
}

/** One transaction is prepared by the service while PostgreSQL executes the other. */
const maxRunning = 2;
/** More would hardly be cheaper, and would keep locks for longer. */
const maxMembers = 16;
/** After this time a transaction no longer counts as running: if it waits for a lock, others of the caller need not wait with it. */
const slowAfterMs = 200;

/**
 * Lets transactions of the same caller share one transaction while the caller has many of them, because starting statements and
 * committing cost more than the rows of one request. A transaction starts at once, on its own, unless two of the caller are running;
 * those that arrive meanwhile share the next one.
 *
 * Sharing is only a short cut. A request that fails in a shared transaction is run again alone, so that its outcome does not depend on
 * others. So are all of them if PostgreSQL refuses a statement, or their writes cannot be merged. After any other failure, nobody knows
 * whether the transaction was committed, and nothing is repeated.
 */
export class TransactionGroups<Context> {
  readonly outcomeCounts: SharedRequests = { committed: 0, repeated: 0 };
  readonly #lanes = new Map<string, Lane<Context>>();
  readonly #runTogether: RunTogether<Context>;

  constructor(runTogether: RunTogether<Context>) {
    this.#runTogether = runTogether;
  }

  /** Whether a caller has so many transactions that the next one would have to wait. */
  get hasWaitingRequests(): boolean {
    for (const { running } of this.#lanes.values()) if (running.size >= maxRunning) return true;
    return false;
  }

  /** Runs a transaction, alone or with others of the same lane. All of a lane have the same context. */
  run<Result>(laneKey: string, context: Context, shareable: Shareable<Result>): Promise<Result> {
    const lane = this.#lanes.get(laneKey) ?? { context, running: new Set(), waiting: [] };
    this.#lanes.set(laneKey, lane);
    return new Promise((resolve, reject) => {
      const request = new AsyncResource('SharedTransaction');
      // The result is that of the work, whose type this is.
      lane.waiting.push({ ...shareable, request, resolve: (result) => resolve(result as Result), reject });
      this.#startNext(laneKey, lane);
    });
  }

  #startNext(laneKey: string, lane: Lane<Context>): void {
    while (lane.running.size < maxRunning && lane.waiting.length > 0) {
      this.#start(laneKey, lane, takeGroup(lane));
    }
    if (lane.running.size === 0) this.#lanes.delete(laneKey);
  }

  #start(laneKey: string, lane: Lane<Context>, members: readonly Member[]): void {
    const keys = members.flatMap(({ conflictKeys }) => conflictKeys);
    lane.running.add(keys);
    const end = () => {
      clearTimeout(slow);
      if (lane.running.delete(keys)) this.#startNext(laneKey, lane);
    };
    const slow = setTimeout(end, slowAfterMs).unref();
    const [first] = members;
    first?.request.runInAsyncScope(() => this.#runGroup(lane.context, members).then(end, end));
  }

  /** Ends when the transaction does. */
  async #runGroup(context: Context, members: readonly Member[]): Promise<void> {
    const [first, ...others] = members;
    if (first && others.length === 0) return runAlone(first);
    let outcomes: PromiseSettledResult<unknown>[] = [];
    try {
      const works = members.map(
        ({ request, work }): SharedWork<unknown> =>
          (tx) =>
            request.runInAsyncScope(work, undefined, tx),
      );
      outcomes = await this.#runTogether(context, works);
    } catch (error) {
      if (!(error instanceof MergeMismatch || isCertainlyRolledBack(error))) {
        for (const { reject } of members) reject(error);
        return;
      }
    }
    members.forEach((member, index) => {
      const outcome = outcomes[index];
      if (outcome?.status === 'fulfilled') {
        this.outcomeCounts.committed++;
        member.resolve(outcome.value);
      } else {
        this.outcomeCounts.repeated++;
        // The next transaction of the lane does not wait for it.
        void member.request.runInAsyncScope(() => runAlone(member));
      }
    });
  }
}

/** Ends when the transaction does, and never rejects. */
async function runAlone({ runAlone: tx, resolve, reject }: Member): Promise<void> {
  try {
    resolve(await tx());
  } catch (error) {
    reject(error);
  }
}

/**
 * Takes the members of the next transaction: those that have waited longest and conflict neither with one another nor with what is
 * running. If the first of them conflicts with what is running, it is taken alone: it would make the others wait, or fail.
 */
function takeGroup(lane: Lane<unknown>): Member[] {
  const [first, ...others] = lane.waiting;
  if (!first) return [];
  lane.waiting = others;
  const keys = new Set([...lane.running].flat());
  const taken = [first];
  if (first.conflictKeys.some((key) => keys.has(key))) return taken;
  for (const key of first.conflictKeys) keys.add(key);
  lane.waiting = others.filter((member) => {
    if (taken.length === maxMembers || member.conflictKeys.some((key) => keys.has(key))) return true;
    for (const key of member.conflictKeys) keys.add(key);
    taken.push(member);
    return false;
  });
  return taken;
}
