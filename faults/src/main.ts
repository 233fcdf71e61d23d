import { randomInt } from 'node:crypto';
import { keptSeeds } from './kept-seeds.ts';
import { readOptions, UsageError, usage } from './options.ts';
import { runTrial } from './run-trials.ts';
import { trials } from './trials/trials.ts';

/** Runs the trials and prints a line for each. Exits with 1 if there were problems. */
async function run(): Promise<void> {
  const options = readOptions(process.argv.slice(2), () => randomInt(2 ** 31));
  if (!options) {
    process.stdout.write(`${usage}\n`);
    return;
  }
  const { only, seeds, sizes } = options;
  const begin = performance.now();
  const progress = (message: string) => {
    const seconds = Math.round((performance.now() - begin) / 1000);
    process.stderr.write(`${String(seconds).padStart(4)} s  ${message}\n`);
  };
  for (const trial of trials.filter(({ name }) => only.length === 0 || only.includes(name))) {
    const lack = trial.findLack?.() ?? null;
    if (lack !== null) {
      process.stdout.write(`not run ${trial.name}: this machine lacks ${lack}\n`);
      if (only.length > 0) process.exitCode = 1;
      continue;
    }
    for (const seed of new Set([...keptSeeds(trial.name), ...seeds])) {
      const { problems, summary } = await runTrial({
        trial,
        sizes,
        seed,
        progress: (message) => progress(`${trial.name}: ${message}`),
      });
      const result = problems.length === 0 ? 'ok    ' : 'FAILED';
      process.stdout.write(`${result} ${trial.name}, seed ${seed}: ${summary}\n`);
      for (const problem of problems) process.stdout.write(`       ${problem}\n`);
      if (problems.length > 0) process.exitCode = 1;
    }
  }
}

try {
  await run();
} catch (error) {
  process.stderr.write(
    error instanceof UsageError ? `${error.message}\n\n${usage}\n` : `${(error as Error).stack ?? error}\n`,
  );
  process.exitCode = 2;
}
// Explicit, because Node can wait for ever for handles of killed processes to close.
process.exit();
