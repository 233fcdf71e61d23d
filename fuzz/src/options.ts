import { parseArgs } from 'node:util';

/** What a run may try: random requests, and what large bodies cost. */
export const trials = ['requests', 'bodies'] as const;
export type FuzzTrial = (typeof trials)[number];

export interface Options {
  /** What to try. */
  readonly only: readonly FuzzTrial[];
  readonly requests: number;
  readonly seed: number;
  readonly connections: number;
  /** The base URL of a running service; null to start one. */
  readonly url: string | null;
  /** The demo credentials of the running service. */
  readonly credentials: string | null;
}

export class UsageError extends Error {
  override name = 'UsageError';
}

export const usage = `Usage: npm run fuzz -- [options]

Makes random requests from the OpenAPI document of the service, most of them signed, and checks every response: no 5xx,
none later than 10 seconds, none without the envelope, and none above 16 KiB for a refused request. Then sends bodies
of up to 1 MiB to every operation, and compares the processor time of the service with that of a small valid request.
Without --url it starts services of its own, with demo data in temporary folders.

  --only <names>          Tries only these, separated by commas: ${trials.join(', ')}. Default: all, with --url only requests
  --requests <number>     How many requests to send. Default: 10000
  --seed <number>         Makes the same requests again, up to ids that the service creates. Default: a random one
  --connections <number>  How many requests are sent at a time. Default: 8
  --url <url>             The base URL of a running service, such as http://127.0.0.1:3000/api/v1
  --credentials <file>    The demo.json of that service. Required with --url. Its data will be changed
  --help                  Prints this text

Exits with 1 if a response is wrong, and prints the request with a command that sends it again.`;

/** Reads the command line. Returns null if it asks for help. */
export function readOptions(args: readonly string[]): Options | null {
  const values = parse(args);
  if (values.help) return null;
  const { url = null, credentials = null } = values;
  if ((url === null) !== (credentials === null)) {
    throw new UsageError('--url and --credentials are used together: the fuzzer signs its requests.');
  }
  if (url !== null && !/^http:\/\/[^/]+\/api\/v1$/.test(url)) {
    throw new UsageError(`--url must be a base URL such as http://127.0.0.1:3000/api/v1, not ${url}`);
  }
  return {
    only: readOnly(values.only, url),
    requests: readNumber('requests', values.requests, 10_000, 100_000_000),
    seed: readNumber('seed', values.seed, Math.floor(Math.random() * 2 ** 31), 2 ** 32 - 1, 0),
    connections: readNumber('connections', values.connections, 8, 1_000),
    url,
    credentials,
  };
}

function parse(args: readonly string[]) {
  const text = { type: 'string' } as const;
  try {
    return parseArgs({
      args: [...args],
      options: {
        only: text,
        requests: text,
        seed: text,
        connections: text,
        url: text,
        credentials: text,
        help: { type: 'boolean', short: 'h' },
      },
    }).values;
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error));
  }
}

function readOnly(text: string | undefined, url: string | null): FuzzTrial[] {
  const names = text?.split(',') ?? (url === null ? trials : ['requests']);
  return names.map((name) => {
    const trial = trials.find((each) => each === name);
    if (!trial) throw new UsageError(`--only must name some of ${trials.join(', ')}, not ${name}`);
    if (trial === 'bodies' && url !== null) {
      throw new UsageError('--only bodies cannot be used with --url: it needs the process of the service');
    }
    return trial;
  });
}

function readNumber(
  name: string,
  text: string | undefined,
  fallback: number,
  maximum: number,
  minimum = 1,
): number {
  if (text === undefined) return fallback;
  const value = Number(text);
  if (!/^\d+$/.test(text) || value < minimum || value > maximum) {
    throw new UsageError(`--${name} must be a whole number from ${minimum} to ${maximum}, not ${text}`);
  }
  return value;
}
