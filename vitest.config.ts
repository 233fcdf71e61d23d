import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';
import { ClosingLineReporter } from './test/support/closing-line-reporter.ts';

export default defineConfig({
  resolve: { conditions: ['@keyfront/source'] },
  ssr: { resolve: { conditions: ['@keyfront/source'] } },
  test: {
    include: ['packages/*/src/**/*.test.ts', 'test/**/*.test.ts'],
    globalSetup: ['test/support/cluster.ts'],
    reporters: ['default', new ClosingLineReporter()],
    // The default leaves one core to others, which on two cores is half of them.
    maxWorkers: Math.max(2, availableParallelism()),
    testTimeout: 30_000,
    hookTimeout: 60_000,
  },
});
