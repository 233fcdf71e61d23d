import { Database } from '../../packages/server/src/database/database.ts';

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
    super.transaction(scope, async (run) => {
      const result = await work(run);
      await this.gate?.pass();
      return result;
    });
}

/** A database on which single statements wait at a gate before they commit. */
export class GatedStatements extends Database {
  readonly gate = new Gate();

  override query: Database['query'] = (scope, statement, values) =>
    this.transaction(scope, async (run) => {
      const rows = await run(statement, values);
      await this.gate.pass();
      return rows;
    });
}
