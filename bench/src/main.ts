import { withBench } from './bench.ts';
import { measureCosts } from './costs/measure-costs.ts';
import { renderCosts } from './costs/render-costs.ts';
import { describeMachine } from './machine.ts';
import { type Options, readOptions, UsageError, usage } from './options.ts';
import { comparePeers } from './peers/compare-peers.ts';
import { isAhead, renderPeers } from './peers/render-peers.ts';
import { writeResults } from './report/results.ts';
import { isReached, type Row } from './report/row.ts';
import { renderRow, renderTable } from './report/table.ts';
import { archive } from './scenarios/archive.ts';
import { scenarios } from './scenarios/scenarios.ts';
import { tenfold } from './scenarios/tenfold.ts';
import { fullSizes, peerSizes, quickSizes, sizesForOrders } from './sizes.ts';

/** Runs the scenarios, prints the table and writes the results. Exits with 1 if a target is missed. */
async function run(): Promise<void> {
  const options = readOptions(process.argv.slice(2));
  if (!options) {
    process.stdout.write(`${usage}\n`);
    return;
  }
  const begin = performance.now();
  const defaultSizes = options.peers ? peerSizes : options.quick ? quickSizes : fullSizes;
  const usualSizes = options.orders === null ? defaultSizes : sizesForOrders(defaultSizes, options.orders);
  const sizes = { ...usualSizes, runSeconds: options.seconds ?? usualSizes.runSeconds };
  const machine = describeMachine();
  const progress = (message: string) => {
    const seconds = Math.round((performance.now() - begin) / 1000);
    process.stderr.write(`${String(seconds).padStart(4)} s  ${message}\n`);
  };
  if (options.costs) {
    await withBench(options, sizes, progress, async (bench) => {
      process.stdout.write(`\n${renderCosts(await measureCosts(bench))}\n`);
    });
    return;
  }
  if (options.peers) {
    await withBench(options, sizes, progress, async (bench) => {
      const measured = await comparePeers(bench, options.peersFolder, options.buyers);
      process.stdout.write(`\n${renderPeers(measured)}\n`);
      if (!isAhead(measured)) process.exitCode = 1;
    });
    return;
  }
  const rows: Row[] = [];
  const names = chooseScenarios(options);
  await withBench(options, sizes, progress, async (bench) => {
    for (const { name, measure } of scenarios) {
      if (!names.includes(name)) continue;
      progress(`Measuring: ${name}`);
      for (const row of await measure(bench)) {
        progress(`  ${renderRow(row)}`);
        rows.push(row);
      }
    }
  });
  process.stdout.write(`\n${renderTable(rows)}\n\n`);
  // Partial and quick runs are not comparable with later runs.
  if (!options.quick && options.seconds === null && options.only.length === 0) {
    process.stdout.write(`Written to ${writeResults(machine, sizes, rows, new Date())}\n`);
  }
  if (!rows.every(({ judged }) => isReached(judged))) process.exitCode = 1;
}

/** Most scenarios measure the same at every size. */
function chooseScenarios({ only, orders }: Options): readonly string[] {
  if (only.length > 0) return only;
  if (orders !== null) return [tenfold.name, archive.name];
  return scenarios.filter((scenario) => scenario !== tenfold).map(({ name }) => name);
}

run().catch((error) => {
  if (error instanceof UsageError) process.stderr.write(`${error.message}\n\n${usage}\n`);
  else process.stderr.write(`${error?.stack ?? error}\n`);
  process.exitCode = error instanceof UsageError ? 2 : 1;
});
