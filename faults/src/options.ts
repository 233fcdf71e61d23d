import { parseArgs } from 'node:util';
import type { TrialSizes } from './trials/trial.ts';
import { trials } from './trials/trials.ts';

export interface Options {
  readonly sizes: TrialSizes;
  readonly seed: number;
  /** The trials to run. An empty list runs all of them. */
  readonly only: readonly string[];
}

const defaults = { kills: 20, minutes: 0 };

export const usage = `Usage: npm run faults -- [options]

Places orders while processes are killed, the network fails, the database moves to another server and readers
stall. At the end of each trial it counts orders, stock, carts and counters again: nothing may be lost, doubled or
oversold. Exits with 1 if something is.

  --kills <n>     number of kills (default ${defaults.kills}). The other trials grow with it
  --minutes <n>   continue killing for this long at least (default ${defaults.minutes})
  --seed <n>      repeat the random choices of an earlier run (default: random). The order of events still varies
  --only <names>  run these trials only, separated by commas: ${trials.map(({ name }) => name).join(', ')}
  --help          show this help`;

/** The command line is invalid. */
export class UsageError extends Error {}

/** Reads the command line. Returns null for `--help`. */
export function readOptions(args: readonly string[], randomSeed: () => number): Options | null {
  const values = parse(args);
  if (values.help) return null;
  const only = values.only?.split(',').map((name) => name.trim()) ?? [];
  for (const name of only) {
    if (!trials.some((trial) => trial.name === name)) throw new UsageError(`Unknown trial "${name}".`);
  }
  const kills = readNumber('--kills', values.kills, defaults.kills);
  return {
    only,
    seed: values.seed === undefined ? randomSeed() : readNumber('--seed', values.seed, 0),
    sizes: {
      kills,
      minutes: readNumber('--minutes', values.minutes, defaults.minutes),
      networkFaults: kills,
      failovers: Math.ceil(kills / 20),
      ordersBetweenFaults: 100,
      exportedOrders: 50_000,
    },
  };
}

function readNumber(name: string, text: string | undefined, fallback: number): number {
  if (text === undefined) return fallback;
  if (!/^\d+(\.\d+)?$/.test(text)) throw new UsageError(`${name} must be a number, not "${text}".`);
  return Number(text);
}

function parse(args: readonly string[]) {
  try {
    return parseArgs({
      args: [...args],
      options: {
        kills: { type: 'string' },
        minutes: { type: 'string' },
        seed: { type: 'string' },
        only: { type: 'string' },
        help: { type: 'boolean', short: 'h' },
      },
    }).values;
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error));
  }
}
