import { readdirSync, readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';
import { ClosingLineReporter } from './test/support/closing-line-reporter.ts';
import { SlowFirstSequencer } from './test/support/slow-first-sequencer.ts';

// Tests run the sources of the packages, not what was built from them.
const shared = {
  resolve: { conditions: ['@keyfront/source'] },
  ssr: { resolve: { conditions: ['@keyfront/source'] } },
};
/** Generous: a machine that is busy with other work must not fail a test in which nothing is wrong. */
const timeoutMs = 300_000;
const tags = [{ name: 'long', description: 'Takes seconds of processor time. `npm test` leaves it out.' }];
const timeouts = {
  testTimeout: timeoutMs,
  hookTimeout: timeoutMs,
  expect: { poll: { timeout: 60_000 } },
  tags,
};
/** Take long. The behaviour that they test on a larger scale, or with more programs, has a short test too. */
const longTests = ['test/long/*.test.ts', 'packages/*/src/**/*.long.test.ts'];
/** A browser that visits every page of the console. `test/long/console.test.ts` visits a few. */
const consoleTests = ['test/console/*.test.ts'];
/** Measures how fast pages are. Runs when the other tests have ended. */
const measuringTests = ['test/console/lighthouse.test.ts', 'test/console/docs-lighthouse.test.ts'];
const storefrontMeasuringTests = ['test/storefront/lighthouse.test.ts'];
/** A browser that buys in the example storefront. */
const storefrontTests = ['test/storefront/*.test.ts'];
/** Files of short tests with some that have the tag `long`: the long project runs these files as a whole. */
const taggedTests = ['packages', 'faults/src', 'test']
  .flatMap((folder) =>
    readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((path) => `${folder}/${path}`),
  )
  .filter((path) => path.endsWith('.test.ts') && !path.includes('/node_modules/'))
  .filter((path) => readFileSync(path, 'utf8').includes("tags: ['long']"));
/** Run in both projects, and generate more random input in the long one. */
const scaledTests = [
  'packages/embedded-postgres/src/data-folder-lock.test.ts',
  'packages/fair-queue/src/fair-queue.model.test.ts',
  'packages/protocol/src/canonical-payload.test.ts',
  'packages/server/src/database/coordination/change-feed.test.ts',
  'packages/server/src/resources/webhooks/delivery/open-requests.test.ts',
  'packages/signatures/src/bound/mutations.test.ts',
  'packages/signatures/src/ecdsa/verifiers-agree.test.ts',
  'test/amounts.test.ts',
  'test/archive-interruptions.test.ts',
  'test/archive-races.test.ts',
  'test/catalogue-filters.test.ts',
  'test/chain-simulation.test.ts',
  'test/cost-of-operations.test.ts',
  'test/fuzz.test.ts',
  'test/operations/decide-admin-orders/while-ordering.test.ts',
  'test/operations/list-clients/filters.test.ts',
  'test/orders-at-once.test.ts',
  'test/orders-csv-bytes.test.ts',
  'test/orders-export.test.ts',
  'test/request-targets.test.ts',
  'test/sandbox-reset.test.ts',
  'test/search.test.ts',
  'test/security-log.test.ts',
];

export default defineConfig({
  ...shared,
  test: {
    // Keeps transformed modules for the next run, by their content.
    experimental: { fsModuleCache: true },
    globalSetup: ['test/support/cluster.ts'],
    reporters: ['default', new ClosingLineReporter()],
    // One more than there are cores: many tests wait for processes that they have started.
    maxWorkers: availableParallelism() + 1,
    sequence: { sequencer: SlowFirstSequencer },
    projects: [
      {
        ...shared,
        test: {
          name: 'shared',
          include: ['{packages/*,bench,faults,fuzz}/src/**/*.test.ts', 'test/**/*.test.ts'],
          exclude: [...longTests, ...consoleTests, ...storefrontTests, '**/node_modules/**'],
          // Loading the modules again for each file would take longer than most tests. The files of a worker share its
          // modules, and those in `test` one service. They keep apart by the digital keys that they act for, and by
          // their databases where they start services of their own.
          isolate: false,
          env: { TEST_SCALE: '0.16' },
          ...timeouts,
        },
      },
      {
        ...shared,
        test: {
          name: 'long',
          include: [...longTests, ...scaledTests, ...taggedTests],
          env: { TEST_SCALE: '4' },
          isolate: false,
          ...timeouts,
        },
      },
      {
        ...shared,
        test: {
          name: 'console',
          include: consoleTests,
          exclude: measuringTests,
          isolate: false,
          ...timeouts,
        },
      },
      {
        ...shared,
        test: {
          name: 'storefront',
          include: storefrontTests,
          exclude: storefrontMeasuringTests,
          isolate: false,
          ...timeouts,
        },
      },
      {
        ...shared,
        test: {
          name: 'storefront-lighthouse',
          include: storefrontMeasuringTests,
          sequence: { groupOrder: 1 },
          // Two at a time would measure each other.
          maxWorkers: 1,
          isolate: false,
          ...timeouts,
        },
      },
      {
        ...shared,
        test: {
          name: 'console-lighthouse',
          include: measuringTests,
          sequence: { groupOrder: 1 },
          // Two at a time would measure each other.
          maxWorkers: 1,
          isolate: false,
          ...timeouts,
        },
      },
    ],
  },
});
