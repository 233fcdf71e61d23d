import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describeCommit, type Machine } from '../machine.ts';
import { root } from '../root.ts';
import type { Sizes } from '../sizes.ts';
import { isReached, type Row } from './row.ts';

/** Writes the results and returns the path of the file, relative to the repository. */
export function writeResults(machine: Machine, sizes: Sizes, rows: readonly Row[], now: Date): string {
  const folder = join(root, 'bench', 'results');
  mkdirSync(folder, { recursive: true });
  const file = join(
    'bench',
    'results',
    `${now.toISOString().slice(0, 10)}${sizes.hasTenth ? `-${sizes.orders}-orders` : ''}.json`,
  );
  const results = {
    measuredAt: now.toISOString(),
    commit: describeCommit(),
    machine,
    sizes,
    rows: rows.map((row) => ({ ...row, reached: isReached(row.judged) })),
  };
  writeFileSync(join(root, file), `${JSON.stringify(results, null, 2)}\n`);
  return file;
}
