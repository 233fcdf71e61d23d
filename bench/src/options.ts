import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { customerCount } from './peers/shop.ts';
import { root } from './root.ts';
import { scenarioNames } from './scenarios/scenarios.ts';

export interface Options {
  readonly quick: boolean;
  /** The orders of the large holder, or null for the default of the sizes. */
  readonly orders: number | null;
  /** Whether to measure what each operation costs, in place of the scenarios. */
  readonly costs: boolean;
  /** Whether to compare with other shops, in place of the scenarios. */
  readonly peers: boolean;
  /** The folder that other shops are installed into. */
  readonly peersFolder: string;
  /** Customers who order there at the same time. */
  readonly buyers: number;
  /** The scenarios to run. An empty list runs all of them. */
  readonly only: readonly string[];
  /** The folder that keeps the seeded database for later runs, or null for a temporary one. */
  readonly data: string | null;
  /** The length of a run, or null for the default of the sizes. */
  readonly seconds: number | null;
  /** The folder for a CPU profile of the service, or null for no profile. */
  readonly profile: string | null;
}

/** Enough to keep one process of each shop busy. */
const defaultBuyers = 8;

export const usage = `Usage: npm run bench -- [options]

Compares the service with the limits of this machine and writes bench/results/<date>.json.

  --quick          run all scenarios at a tenth of the size, in about two minutes
  --orders <n>     compare a holder with this many orders, up to 90,000,000, with one that has a tenth of them
  --costs          measure the processor time and bytes of each operation, for the sizing guide (Linux only)
  --peers          place the same orders at Medusa and Vendure, which are installed from npm, and compare the rates
  --peers-folder <folder>  install them into this folder; the default is bench/.cache/peers
  --buyers <n>     customers who order there at the same time, from 1 to ${customerCount}; the default is ${defaultBuyers}
  --only <names>   run these scenarios only, separated by commas: ${scenarioNames.join(', ')}
  --data <folder>  keep the seeded database in this folder and reuse it
  --seconds <n>    length of each run in seconds
  --profile <dir>  write a CPU profile of the service into this folder (best with --only)
  --help           show this help`;

const minOrders = 1_000;
const maxOrders = 90_000_000;

/** The command line is invalid. */
export class UsageError extends Error {}

/** Reads the command line. Returns null for `--help`. */
export function readOptions(args: readonly string[]): Options | null {
  const { values } = parse(args);
  if (values.help) return null;
  const only = values.only?.split(',').map((name) => name.trim()) ?? [];
  for (const name of only) {
    if (!scenarioNames.includes(name)) throw new UsageError(`Unknown scenario "${name}".`);
  }
  const seconds = values.seconds === undefined ? null : Number(values.seconds);
  if (seconds !== null && !(seconds > 0)) throw new UsageError('--seconds must be a number greater than 0.');
  const orders = values.orders === undefined ? null : Number(values.orders);
  if (orders !== null && !(Number.isInteger(orders) && orders >= minOrders && orders <= maxOrders)) {
    throw new UsageError(`--orders must be a whole number from ${minOrders} to ${maxOrders}.`);
  }
  const buyers = values.buyers === undefined ? defaultBuyers : Number(values.buyers);
  if (!(Number.isInteger(buyers) && buyers >= 1 && buyers <= customerCount)) {
    throw new UsageError(`--buyers must be a whole number from 1 to ${customerCount}.`);
  }
  const { quick = false, costs = false, peers = false, data = null, profile = null } = values;
  const peersFolder = resolve(values['peers-folder'] ?? join(root, 'bench', '.cache', 'peers'));
  return { quick, orders, costs, peers, peersFolder, buyers, only, data, seconds, profile };
}

function parse(args: readonly string[]) {
  try {
    return parseArgs({
      args: [...args],
      options: {
        quick: { type: 'boolean' },
        orders: { type: 'string' },
        costs: { type: 'boolean' },
        peers: { type: 'boolean' },
        'peers-folder': { type: 'string' },
        buyers: { type: 'string' },
        only: { type: 'string' },
        data: { type: 'string' },
        seconds: { type: 'string' },
        profile: { type: 'string' },
        help: { type: 'boolean', short: 'h' },
      },
    });
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error));
  }
}
