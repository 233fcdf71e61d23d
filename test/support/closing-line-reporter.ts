import type { SerializedError } from 'vitest';
import type { Reporter, TestCase, TestModule, Vitest } from 'vitest/node';

/** Tests that were not run for the same reason. */
interface Skipped {
  readonly advice: string;
  count: number;
}

/**
 * Ends the output with one plain line, `123 passed, 0 failed`, for readers who look only at the end. Before it stands
 * what the machine lacked for the tests that were skipped. It is written when the process exits, so that it follows
 * every other reporter and the global teardown and never claims that nothing failed when the exit code says otherwise.
 */
export class ClosingLineReporter implements Reporter {
  #passed = 0;
  #failed = 0;
  #skipped = 0;
  #isFiltered = false;
  #leavesOutLong = false;
  #long = 0;
  #missing = new Map<string, Skipped>();

  onInit(vitest: Vitest): void {
    this.#isFiltered = vitest.config.testNamePattern !== undefined;
    this.#leavesOutLong = vitest.config.tagsFilter !== undefined;
    process.once('exit', (code) => {
      if (code !== 0 && this.#failed === 0) this.#failed = 1;
      process.stdout.write(`${[...this.#list(), this.#line()].join('\n')}\n`);
    });
  }

  onTestRunEnd(testModules: readonly TestModule[], unhandledErrors: readonly SerializedError[]): void {
    this.#passed = 0;
    this.#failed = unhandledErrors.length;
    this.#skipped = 0;
    this.#long = 0;
    this.#missing.clear();
    for (const module of testModules) this.#count(module);
  }

  #count(module: TestModule): void {
    // A file that does not load and a hook that throws fail the run without any test that failed.
    if (module.errors().length > 0) this.#failed += 1;
    for (const suite of module.children.allSuites()) {
      if (suite.errors().length > 0) this.#failed += 1;
    }
    for (const test of module.children.allTests()) {
      const { state } = test.result();
      if (state === 'passed') this.#passed += 1;
      if (state === 'failed') this.#failed += 1;
      if (state === 'skipped') this.#countSkipped(test);
    }
  }

  #countSkipped(test: TestCase): void {
    if (this.#leavesOutLong && test.tags.includes('long')) {
      this.#long += 1;
      return;
    }
    this.#skipped += 1;
    const { missing } = test.meta();
    // What a name pattern leaves out needs no explanation.
    if (!missing && this.#isFiltered) return;
    const { name, advice } = missing ?? { name: test.fullName, advice: 'it has no reason' };
    const skipped = this.#missing.get(name) ?? { advice, count: 0 };
    skipped.count += 1;
    this.#missing.set(name, skipped);
  }

  #list(): string[] {
    const long = this.#long > 0 ? [`Left to npm run test:long: ${formatCount(this.#long)}`] : [];
    if (this.#missing.size === 0) return long;
    const reasons = [...this.#missing].map(
      ([name, { advice, count }]) => `  ${name} (${formatCount(count)}): ${advice}`,
    );
    return [...long, 'Not run, because this machine lacks:', ...reasons];
  }

  #line(): string {
    const line = `${this.#passed} passed, ${this.#failed} failed`;
    return this.#skipped > 0 ? `${line}, ${this.#skipped} skipped` : line;
  }
}

const formatCount = (count: number) => `${count} ${count === 1 ? 'test' : 'tests'}`;
