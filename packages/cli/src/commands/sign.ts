import type { Command } from 'commander';
import type { Cli } from '../cli.ts';
import { misuse } from '../failure.ts';
import { createKeyfront } from '../open-keyfront.ts';
import { getCredentials } from '../settings/credentials.ts';
import { isKeyProfile } from '../settings/profiles.ts';
import { type ProfileOption, withExamples, withProfile } from './options.ts';
import { readBody, withBody } from './requests.ts';

interface SignOptions extends ProfileOption {
  readonly data?: string;
  readonly curl?: true;
}

const methods = ['GET', 'POST', 'PATCH', 'PUT', 'DELETE'];

/** `keyfront sign METHOD PATH`: the two headers of a signed request, for curl. */
export function addSign(program: Command, cli: Cli): void {
  const command = program
    .command('sign')
    .description('sign a request without sending it, and print its headers as curl reads them')
    .argument('<method>', 'GET, POST, PATCH, PUT or DELETE')
    .argument('<path>', 'the path after /api/v1, with its encoded query')
    .option('--curl', 'print the whole command, without the secret')
    .action((method: string, path: string, options: SignOptions) =>
      sign(cli, method.toUpperCase(), path, options),
    );
  withBody(command);
  withProfile(command);
  withExamples(
    command,
    'curl --config <(keyfront sign GET /planets) http://127.0.0.1:3000/api/v1/planets',
    `keyfront sign POST /dapp/orders -d '{"clientId":"…"}' --curl`,
  );
}

async function sign(cli: Cli, method: string, path: string, options: SignOptions): Promise<void> {
  if (!methods.includes(method)) throw misuse(`${method} is no method: take one of ${methods.join(', ')}`);
  const credentials = await getCredentials(cli, options);
  if (!isKeyProfile(credentials)) throw misuse('A token signs nothing: use a profile with an API key');
  const body = await readBody(cli, options.data);
  const request = await createKeyfront(cli, credentials).sign(
    method,
    path,
    body === undefined ? {} : { body },
  );
  const headers = Object.entries(request.headers)
    .filter(([name]) => name.startsWith('x-auth-'))
    .map(([name, value]) => `--header "${name}: ${value}"`);
  if (!options.curl) {
    cli.output.write(`${headers.join('\n')}\n`);
    return;
  }
  const content =
    body === undefined ? [] : [`--header "content-type: application/json"`, `--data-binary ${quote(body)}`];
  const parts = [`curl --globoff --request ${method}`, ...headers, ...content, quote(request.url)];
  cli.output.write(`${parts.join(' \\\n  ')}\n`);
}

/** A text as one word of a shell. */
function quote(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
