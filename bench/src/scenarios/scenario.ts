import type { Bench } from '../bench.ts';
import type { Row } from '../report/row.ts';

/** A scenario produces one or more rows of the table. */
export interface Scenario {
  readonly name: string;
  measure(bench: Bench): Promise<Row[]>;
}
