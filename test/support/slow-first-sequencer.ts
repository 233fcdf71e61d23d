import { basename, dirname } from 'node:path';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/**
 * Begins with the files directly in `test`. They start processes and take longest; one that came last would leave the
 * other workers idle. The rest of their project follows, because its workers have loaded what it needs.
 */
export class SlowFirstSequencer extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const isSlow = ({ moduleId }: TestSpecification) => basename(dirname(moduleId)) === 'test';
    const projects = new Set(files.filter(isSlow).map(({ project }) => project));
    const rankOf = (file: TestSpecification) => (isSlow(file) ? 0 : projects.has(file.project) ? 1 : 2);
    return (await super.sort(files)).sort((one, other) => rankOf(one) - rankOf(other));
  }
}
