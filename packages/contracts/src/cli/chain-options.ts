import { parseArgs } from 'node:util';
import { ChainError } from './chain-error.ts';

/** The options of `npm run chain`. */
export interface ChainOptions {
  readonly isHelp: boolean;
  readonly port: number;
  readonly blockTimeSeconds: number;
}

/** The output of `npm run chain -- --help`. */
export const help = `npm run chain [-- options]

Starts a development chain, deploys the Keyfront contracts, gives the demo wallets their digital keys and
some ether, and prints the command that starts the service on it. The chain is in memory.

  --port <number>          port to listen on, 0 for a free one (default: 8545)
  --block-time <seconds>   time between blocks (default: 2)
  --help                   show this help

Environment:
  ANVIL          path to anvil, if npm has no build for this platform and it is not on the path
  KEYFRONT_DATA  data folder of the service (default: .keyfront)
`;

/** Reads the arguments of the command. Throws a `ChainError` for the first invalid one. */
export function readChainOptions(args: readonly string[]): ChainOptions {
  const { values } = parse(args);
  return {
    isHelp: values.help,
    port: readInteger('port', values.port, 0, 65_535),
    blockTimeSeconds: readInteger('block-time', values['block-time'], 1, 3_600),
  };
}

function parse(args: readonly string[]) {
  try {
    return parseArgs({
      args: [...args],
      options: {
        help: { type: 'boolean', short: 'h', default: false },
        port: { type: 'string', default: '8545' },
        'block-time': { type: 'string', default: '2' },
      },
    });
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new ChainError(`${reason}\nnpm run chain -- --help lists the options.`, { cause: error });
  }
}

function readInteger(name: string, text: string, minimum: number, maximum: number): number {
  const value = Number(text);
  if (!/^\d+$/.test(text) || value < minimum || value > maximum) {
    throw new ChainError(`--${name} must be a whole number from ${minimum} to ${maximum}, not "${text}".`);
  }
  return value;
}
