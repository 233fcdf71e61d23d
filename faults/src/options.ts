import { parseArgs } from 'node:util';
import type { TrialSizes } from './trials/trial.ts';
import { trials } from './trials/trials.ts';

export interface Options {
  readonly sizes: TrialSizes;
  /** Each trial runs once for each seed. */
  readonly seeds: readonly number[];
  /** The trials to run. An empty list runs all of them. */
  readonly only: readonly string[];
}

const defaults = { kills: 20, minutes: 0 };

export const usage = `Usage: npm run faults -- [options]

Calls the service while processes are killed, the network fails, the database stalls or moves to another server, readers
and webhooks hang and strangers flood it. At the end of each trial it counts orders, stock, carts, sales and counters
again: nothing may be lost, doubled or oversold. Exits with 1 if something is.

  --kills <n>     number of kills (default ${defaults.kills}). The other trials grow with it
  --minutes <n>   continue killing for this long at least (default ${defaults.minutes})
  --seed <list>   repeat the random choices of earlier runs, such as 7 or 1-20 (default: random). What happens at the same
                  time still varies
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
    seeds: values.seed === undefined ? [randomSeed()] : readSeeds('--seed', values.seed),
    sizes: {
      kills,
      minutes: readNumber('--minutes', values.minutes, defaults.minutes),
      networkFaults: kills,
      failovers: Math.ceil(kills / 20),
      ordersBetweenFaults: 100,
      exportedOrders: 20_000,
    },
  };
}

/** Reads whole numbers and ranges of them, such as `3,5-7`. */
export function readSeeds(name: string, text: string): number[] {
  return text.split(',').flatMap((part) => {
    const [, first, last = first] = /^\s*(\d+)(?:-(\d+))?\s*$/.exec(part) ?? [];
    if (first === undefined) throw new UsageError(`${name} must be a list such as 3,5-7, not "${text}".`);
    const count = Number(last) - Number(first) + 1;
    if (count < 1) throw new UsageError(`${name} has a range that ends before it begins: "${text}".`);
    return Array.from({ length: count }, (_, index) => Number(first) + index);
  });
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
