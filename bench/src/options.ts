import { parseArgs } from 'node:util';
import { scenarioNames } from './scenarios/scenarios.ts';

export interface Options {
  readonly quick: boolean;
  /** The scenarios to run; all of them when none is named. */
  readonly only: readonly string[];
  /** Where the seeded database stays for the next run; null: it is made anew and removed. */
  readonly data: string | null;
  /** The length of a run in seconds, where it is not that of the sizes. */
  readonly seconds: number | null;
  /** Where the service leaves a CPU profile; null: there is none. */
  readonly profile: string | null;
}

export const usage = `Usage: npm run bench -- [options]

Measures the service against the limits of this machine, in one run, and writes bench/results/<date>.json.

  --quick          everything at a tenth of the size, in about two minutes
  --only <names>   some scenarios, with commas between: ${scenarioNames.join(', ')}
  --data <folder>  keep the seeded database in this folder, and find it there the next time
  --seconds <n>    let each run last so long
  --profile <dir>  let the service write a CPU profile into this folder (best with --only)
  --help           show this`;

export class WrongUsage extends Error {}

/** Reads the command line. Null when only help is wanted. */
export function readOptions(args: readonly string[]): Options | null {
  const { values } = parse(args);
  if (values.help) return null;
  const only = values.only?.split(',').map((name) => name.trim()) ?? [];
  for (const name of only) {
    if (!scenarioNames.includes(name)) throw new WrongUsage(`There is no scenario "${name}".`);
  }
  const seconds = values.seconds === undefined ? null : Number(values.seconds);
  if (seconds !== null && !(seconds > 0)) throw new WrongUsage('--seconds takes a number above 0.');
  const { quick = false, data = null, profile = null } = values;
  return { quick, only, data, seconds, profile };
}

function parse(args: readonly string[]) {
  try {
    return parseArgs({
      args: [...args],
      options: {
        quick: { type: 'boolean' },
        only: { type: 'string' },
        data: { type: 'string' },
        seconds: { type: 'string' },
        profile: { type: 'string' },
        help: { type: 'boolean', short: 'h' },
      },
    });
  } catch (error) {
    throw new WrongUsage(error instanceof Error ? error.message : String(error));
  }
}
