import type { LeadingStatement, Statement } from '@keyfront/postgres';
import type { RunInTransaction } from './transaction.ts';

/** What a request does in a transaction that it shares with others. */
export type SharedWork<Result> = (tx: RunInTransaction) => Promise<Result>;

/** Thrown before the commit if requests that share a transaction call a statement with values that cannot be merged. */
export class MergeMismatch extends Error {
  override name = 'MergeMismatch';
}

/**
 * Does the work of several requests in one transaction. A statement that merges, and that several of them run at the same time, is
 * executed once for all of them. What they queue for the commit is written for those that succeed.
 *
 * Whatever a request writes before the commit would be committed even if the request fails. Before the commit, it may therefore run
 * statements that merge reads only.
 */
export async function runGroup<Result>(
  tx: RunInTransaction,
  works: readonly SharedWork<Result>[],
): Promise<PromiseSettledResult<Result>[]> {
  const merger = new StatementMerger(tx);
  const queues = works.map((): LeadingStatement[] => []);
  const outcomes = await Promise.allSettled(
    works.map(async (work, index) => work(merger.runFor((each) => queues[index]?.push(each)))),
  );
  const toWrite = queues.filter((_, index) => outcomes[index]?.status === 'fulfilled');
  for (const { statement, values } of mergeQueues(toWrite)) tx.atCommit(statement, [...values]);
  return outcomes;
}

interface Call {
  readonly statement: Statement<unknown>;
  readonly values: readonly unknown[];
  readonly resolve: (rows: unknown[]) => void;
  readonly reject: (error: unknown) => void;
}

/** Collects the statements that are run in the same turn of the event loop, and executes equal ones as one. */
class StatementMerger {
  readonly #run: RunInTransaction;
  #calls: Call[] = [];

  constructor(tx: RunInTransaction) {
    this.#run = tx;
  }

  /** Returns the function that runs the statements of one request. */
  runFor(queue: (queued: LeadingStatement) => void): RunInTransaction {
    const runMerged = <Row>(statement: Statement<Row>, values: unknown[] = []): Promise<Row[]> => {
      if (statement.merges !== 'reads') {
        return Promise.reject(new Error(`${statement.name} cannot run before a shared transaction commits`));
      }
      return new Promise((resolve, reject) => {
        if (this.#calls.length === 0) process.nextTick(() => this.#execute());
        // The rows are those of the statement, whose type this is.
        this.#calls.push({ statement, values, resolve: (rows) => resolve(rows as Row[]), reject });
      });
    };
    return Object.assign(runMerged, {
      atCommit: (statement: Statement<unknown>, values: unknown[] = []) => queue({ statement, values }),
      requireOwnTransaction: () => {
        throw new Error('The work is done alone, because it waits for something');
      },
    });
  }

  #execute(): void {
    const callsByStatement = new Map<Statement<unknown>, Call[]>();
    for (const call of this.#calls) {
      const calls = callsByStatement.get(call.statement);
      if (calls) calls.push(call);
      else callsByStatement.set(call.statement, [call]);
    }
    this.#calls = [];
    for (const [statement, calls] of callsByStatement) void this.#executeOnce(statement, calls);
  }

  /** Settles the calls, and never rejects. */
  async #executeOnce(statement: Statement<unknown>, calls: readonly Call[]): Promise<void> {
    try {
      const rows = await this.#run(statement, mergeValues(calls));
      distribute(rows as MemberRow[], calls);
    } catch (error) {
      for (const { reject } of calls) reject(error);
    }
  }
}

/** A row of a statement that merges reads. */
interface MemberRow {
  readonly member: number;
}

function distribute(rows: readonly MemberRow[], calls: readonly Call[]): void {
  const rowsByCall = calls.map((): MemberRow[] => []);
  for (const row of rows) rowsByCall[row.member - 1]?.push(row);
  calls.forEach(({ resolve }, index) => {
    resolve(rowsByCall[index] ?? []);
  });
}

/** Merges what requests have queued. What one request has queued keeps its order. */
function* mergeQueues(queues: readonly LeadingStatement[][]): Generator<LeadingStatement> {
  for (let left = queues; ; ) {
    left = left.filter((queue) => queue.length > 0);
    const statement = chooseNext(left);
    if (!statement) return;
    const calls: LeadingStatement[] = [];
    for (const queue of left) {
      if (queue[0]?.statement !== statement || (calls.length > 0 && statement.merges !== 'writes')) continue;
      calls.push(...queue.splice(0, 1));
    }
    yield { statement, values: mergeValues(calls) };
  }
}

/** Picks a head statement that no other queue still holds further back, so that all who have it run it together. */
function chooseNext(queues: readonly LeadingStatement[][]): Statement<unknown> | undefined {
  const heads = queues.flatMap(([head]) => (head ? [head.statement] : []));
  const isLaterIn = (queue: readonly LeadingStatement[], statement: Statement<unknown>) =>
    queue[0]?.statement !== statement && queue.some((each) => each.statement === statement);
  return heads.find((head) => !queues.some((queue) => isLaterIn(queue, head))) ?? heads[0];
}

/** Concatenates the arrays among the values. The other values must be the same for all calls. */
function mergeValues(calls: readonly { readonly values: readonly unknown[] }[]): unknown[] {
  const [first, ...others] = calls;
  if (!first || others.length === 0) return [...(first?.values ?? [])];
  return first.values.map((value, index) => {
    const isMerged = Array.isArray(value);
    if (others.some(({ values }) => (isMerged ? !Array.isArray(values[index]) : values[index] !== value)))
      throw new MergeMismatch('Merged values must be equal');
    return isMerged ? calls.flatMap(({ values }) => values[index]) : value;
  });
}
