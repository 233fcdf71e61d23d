import type { SerializedError } from 'vitest';
import type { Reporter, TestModule } from 'vitest/node';

/**
 * Ends the output with one plain line, `123 passed, 0 failed`, for whoever reads only the end. It is written
 * when the process exits, so that it follows every other reporter and the global teardown and never claims
 * that nothing failed when the exit code says otherwise.
 */
export class ClosingLineReporter implements Reporter {
  #passed = 0;
  #failed = 0;
  #skipped = 0;

  onInit(): void {
    process.once('exit', (code) => {
      if (code !== 0 && this.#failed === 0) this.#failed = 1;
      process.stdout.write(`${this.#line()}\n`);
    });
  }

  onTestRunEnd(testModules: readonly TestModule[], unhandledErrors: readonly SerializedError[]): void {
    this.#passed = 0;
    this.#failed = unhandledErrors.length;
    this.#skipped = 0;
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
      if (state === 'skipped') this.#skipped += 1;
    }
  }

  #line(): string {
    const line = `${this.#passed} passed, ${this.#failed} failed`;
    return this.#skipped > 0 ? `${line}, ${this.#skipped} skipped` : line;
  }
}
