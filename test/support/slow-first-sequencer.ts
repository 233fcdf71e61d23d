import { basename, dirname } from 'node:path';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/**
 * Begins with the files directly in `test`. They start processes and take longest; one that came last would leave the
 * other workers idle. The files below `test` follow, and those of the packages come last.
 */
export class SlowFirstSequencer extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rankOf = ({ moduleId }: TestSpecification) => {
      if (basename(dirname(moduleId)) === 'test') return 0;
      return moduleId.includes('/test/') ? 1 : 2;
    };
    return (await super.sort(files)).sort((one, other) => rankOf(one) - rankOf(other));
  }
}
