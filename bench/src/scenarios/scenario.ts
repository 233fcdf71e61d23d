import type { Bench } from '../bench.ts';
import type { Row } from '../report/row.ts';

/** One thing that is measured. It may give several lines of the table. */
export interface Scenario {
  readonly name: string;
  measure(bench: Bench): Promise<Row[]>;
}
