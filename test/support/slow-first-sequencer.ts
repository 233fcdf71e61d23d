import { basename, dirname } from 'node:path';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** Take minutes, most of which they wait for other programs. */
const slowest = ['image.test.ts', 'faults.test.ts', 'every-code-sample.test.ts'];

/**
 * Begins with the slowest files: one that came last would leave the other workers idle. The files directly in `test`
 * follow, which start processes, then those below `test`, and those of the packages come last.
 */
export class SlowFirstSequencer extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rankOf = ({ moduleId }: TestSpecification) => {
      if (slowest.includes(basename(moduleId))) return 0;
      if (basename(dirname(moduleId)) === 'test') return 1;
      return moduleId.includes('/test/') ? 2 : 3;
    };
    return (await super.sort(files)).sort((one, other) => rankOf(one) - rankOf(other));
  }
}
