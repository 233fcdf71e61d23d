import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';
import { ClosingLineReporter } from './test/support/closing-line-reporter.ts';

const shared = {
  resolve: { conditions: ['@keyfront/source'] },
  ssr: { resolve: { conditions: ['@keyfront/source'] } },
};
const timeouts = { testTimeout: 60_000, hookTimeout: 60_000 };
/** Tests of the whole that start no process: they share one service in each worker, as the operations do. */
const onSharedService = [
  'test/chain-simulation.test.ts',
  'test/list-counts.test.ts',
  'test/orders-at-once.test.ts',
  'test/orders-export.test.ts',
  'test/sdk-operations.test.ts',
];

export default defineConfig({
  ...shared,
  test: {
    globalSetup: ['test/support/cluster.ts'],
    reporters: ['default', new ClosingLineReporter()],
    // One more than there are cores: many tests wait for processes that they have started.
    maxWorkers: availableParallelism() + 1,
    projects: [
      {
        ...shared,
        test: {
          name: 'parts',
          include: ['{packages/*,bench}/src/**/*.test.ts'],
          // Loading the modules anew for each of many small files would take longer than the tests.
          isolate: false,
          ...timeouts,
        },
      },
      {
        ...shared,
        test: {
          name: 'whole',
          include: ['test/*.test.ts'],
          exclude: onSharedService,
          ...timeouts,
        },
      },
      {
        ...shared,
        test: {
          name: 'operations',
          include: ['test/operations/**/*.test.ts', ...onSharedService],
          // The files share one service in each worker, and keep apart by the digital keys they act for.
          isolate: false,
          ...timeouts,
        },
      },
    ],
  },
});
