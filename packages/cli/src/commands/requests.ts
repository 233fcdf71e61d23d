import type { Command } from 'commander';
import type { Cli } from '../cli.ts';
import { misuse } from '../failure.ts';
import { openKeyfront } from '../open-keyfront.ts';
import { readContent } from '../read-content.ts';
import { compactJson, prettyJson } from '../terminal/pretty-json.ts';
import { styleFor } from '../terminal/style.ts';
import { describePayload, traceFetch } from '../trace.ts';
import { type ProfileOption, withExamples, withProfile } from './options.ts';

interface RequestOptions extends ProfileOption {
  readonly data?: string;
  readonly query: readonly string[];
  readonly json?: true;
  readonly verbose?: true;
  readonly idempotencyKey?: string;
}

const methods = {
  get: ['keyfront get /planets', "keyfront get /dapp/strains -q 'search=lunar saffron' -q take=5"],
  post: [
    `keyfront post /dapp/carts -d '{"clientId":"…","cartItems":[{"strainId":"…","quantity":2}]}'`,
    'keyfront post /dapp/orders -d @order.json',
    'jq … | keyfront post /dapp/clients -d -',
  ],
  patch: [`keyfront patch /dapp/sales -q id=… -d '{"stage":"CLOSED"}'`],
  delete: ['keyfront delete /dapp/carts/…'],
} as const;

/** `keyfront get|post|patch|delete PATH`: any operation of the service. */
export function addRequests(program: Command, cli: Cli): void {
  for (const [name, examples] of Object.entries(methods)) {
    const method = name.toUpperCase();
    const command = program
      .command(name)
      .description(`send a signed ${method} and show the data of the answer`)
      .argument('<path>', 'the path after /api/v1; it may hold an encoded query')
      .option('-q, --query <name=value>', 'a query parameter; can be repeated', collect, [])
      .option('--json', 'show the data as JSON on one line')
      .option('-v, --verbose', 'show on stderr what is signed and sent')
      .action((path: string, options: RequestOptions) => request(cli, method, path, options));
    if (name !== 'get') withBody(command);
    if (name === 'post') command.option('--idempotency-key <key>', 'the same key is never carried out twice');
    withProfile(command);
    withExamples(command, ...examples);
  }
}

/** Adds `-d`. */
export function withBody(command: Command): Command {
  return command.option(
    '-d, --data <json>',
    'the body: JSON, @FILE for that of a file, - for the standard input',
  );
}

async function request(cli: Cli, method: string, path: string, options: RequestOptions): Promise<void> {
  const { profile, json, verbose, idempotencyKey } = options;
  const fetch = verbose ? traceFetch(cli) : cli.fetch;
  const keyfront = await openKeyfront(cli, { profile, fetch });
  const query = new URLSearchParams(options.query.map(readPair));
  const body = await readBody(cli, options.data);
  const parts = { query, ...(body === undefined ? {} : { body }) };
  if (verbose) {
    const { payload, headers } = await keyfront.sign(method, path, parts);
    // A token is sent along with whatever it is for.
    if ('x-auth-signature' in headers) cli.errors.write(describePayload(payload));
  }
  const data = await keyfront.request<unknown>(method, path, {
    ...parts,
    signal: cli.signal,
    ...(idempotencyKey ? { idempotencyKey } : {}),
  });
  const text = json ? compactJson(data) : prettyJson(data, styleFor(cli.output, cli.env));
  cli.output.write(`${text}\n`);
}

/** The text of a body, to be sent as it stands. */
export async function readBody(cli: Cli, data: string | undefined): Promise<string | undefined> {
  if (data === undefined) return undefined;
  const isFile = data === '-' || data.startsWith('@');
  const text = isFile ? (await readContent(cli, data.replace(/^@/, ''))).toString() : data;
  try {
    JSON.parse(text);
  } catch {
    throw misuse(
      'The body is not JSON: write names and texts in double quotes, and the whole in single ones',
    );
  }
  return text;
}

function collect(value: string, before: readonly string[]): string[] {
  return [...before, value];
}

function readPair(pair: string): [string, string] {
  const at = pair.indexOf('=');
  if (at < 1) throw misuse(`"${pair}" is not a query parameter: write it as name=value`);
  return [pair.slice(0, at), pair.slice(at + 1)];
}
