import { Database } from '../../packages/server/src/database/database.ts';
import type { RunInTransaction } from '../../packages/server/src/database/transactions/transaction.ts';

/** Holds whoever comes until it is opened. */
export class Gate {
  readonly reached: Promise<void>;
  readonly #opened: Promise<void>;
  #arrive = (): void => undefined;
  open = (): void => undefined;

  constructor() {
    this.reached = new Promise((resolve) => {
      this.#arrive = resolve;
    });
    this.#opened = new Promise((resolve) => {
      this.open = resolve;
    });
  }

  async pass(): Promise<void> {
    this.#arrive();
    await this.#opened;
  }
}

/** A database whose transactions wait at a gate before they commit. */
export class GatedTransactions extends Database {
  gate: Gate | null = null;

  override transaction: Database['transaction'] = (scope, work) =>
    super.transaction(scope, async (tx) => {
      const result = await work(tx);
      await this.gate?.pass();
      return result;
    });
}

/** A database on which single statements wait at a gate before they commit. */
export class GatedStatements extends Database {
  readonly gate = new Gate();

  override query: Database['query'] = (scope, statement, values) =>
    this.transaction(scope, async (tx) => {
      const rows = await tx(statement, values);
      await this.gate.pass();
      return rows;
    });
}

/** A database on which a transaction waits at a gate before it commits, if it has run a certain statement. */
export class GatedByStatement extends Database {
  #held: { readonly statement: string; readonly gate: Gate } | null = null;

  /** Makes the next transaction with this statement wait until the gate is opened. */
  hold(statement: string): Gate {
    const gate = new Gate();
    this.#held = { statement, gate };
    return gate;
  }

  override transaction: Database['transaction'] = (scope, work) =>
    super.transaction(scope, async (tx) => {
      let gate: Gate | undefined;
      const meet = (statement: string) => {
        if (statement !== this.#held?.statement) return;
        gate = this.#held.gate;
        this.#held = null;
      };
      const runWatched: RunInTransaction = Object.assign(
        ((statement, values) => {
          meet(statement.name);
          return tx(statement, values);
        }) as RunInTransaction,
        {
          requireOwnTransaction: tx.requireOwnTransaction,
          atCommit: ((statement, values) => {
            meet(statement.name);
            tx.atCommit(statement, values);
          }) satisfies RunInTransaction['atCommit'],
        },
      );
      const result = await work(runWatched);
      await gate?.pass();
      return result;
    });
}
