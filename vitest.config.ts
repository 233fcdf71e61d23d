import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';
import { ClosingLineReporter } from './test/support/closing-line-reporter.ts';

const shared = {
  resolve: { conditions: ['@keyfront/source'] },
  ssr: { resolve: { conditions: ['@keyfront/source'] } },
};
const timeouts = { testTimeout: 30_000, hookTimeout: 60_000 };

export default defineConfig({
  ...shared,
  test: {
    globalSetup: ['test/support/cluster.ts'],
    reporters: ['default', new ClosingLineReporter()],
    // The default leaves one core to others, which on two cores is half of them.
    maxWorkers: Math.max(2, availableParallelism()),
    projects: [
      {
        ...shared,
        test: {
          name: 'parts',
          include: ['packages/*/src/**/*.test.ts'],
          // Loading the modules anew for each of many small files would take longer than the tests.
          isolate: false,
          ...timeouts,
        },
      },
      {
        ...shared,
        test: { name: 'whole', include: ['test/*.test.ts'], ...timeouts },
      },
      {
        ...shared,
        test: {
          name: 'operations',
          include: ['test/operations/**/*.test.ts'],
          // The files share one service in each worker, and keep apart by the digital keys they act for.
          isolate: false,
          ...timeouts,
        },
      },
    ],
  },
});
