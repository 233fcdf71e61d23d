import { parseArgs } from 'node:util';
import { ChainError } from './chain-error.ts';

/** What `npm run chain` is asked for. */
export interface ChainOptions {
  readonly isHelp: boolean;
  readonly port: number;
  readonly blockTimeSeconds: number;
}

/** What `npm run chain -- --help` prints. */
export const help = `npm run chain [-- options]

Starts a chain for development with the contracts of Keyfront on it, gives the wallets of the demo their
digital keys and some ether, and prints how to start the service on it. It is gone when it is stopped.

  --port <number>          where it listens; 8545 when left out, 0 takes a free one
  --block-time <seconds>   how often a block comes; 2 when left out
  --help                   this

  ANVIL          the program anvil, where npm has none for this machine and it is not on the path
  KEYFRONT_DATA  the folder of the service's data; .keyfront when left out
`;

/** Reads the arguments of the command; throws a sentence about the first that is wrong. */
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
