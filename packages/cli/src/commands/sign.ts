import { Argument, type Command } from 'commander';
import { usageError } from '../cli-error.ts';
import { completeWith } from '../completion/completers.ts';
import type { Context } from '../context.ts';
import { createClient } from '../create-client.ts';
import { getCredentials } from '../credentials/get-credentials.ts';
import { isKeyProfile } from '../credentials/profiles.ts';
import { createPathArgument } from './api-requests.ts';
import { type BodyOptions, readBody, withBody } from './request-body.ts';
import { type ProfileOption, withDescription, withExamples, withProfile } from './shared-options.ts';

interface SignOptions extends ProfileOption, BodyOptions {
  readonly curl?: true;
}

const methods = ['GET', 'POST', 'PATCH', 'PUT', 'DELETE'];

/** `keyfront sign METHOD PATH`: prints the headers of a signed request. */
export function addSign(program: Command, context: Context): void {
  const method = new Argument('<method>', methods.join(', '));
  completeWith(method, () => methods.map((value) => ({ value })));
  const command = program
    .command('sign')
    .addArgument(method)
    .addArgument(
      createPathArgument('path after /api/v1, with its encoded query', ([first = '']) => first.toUpperCase()),
    )
    .option('--curl', 'print a complete curl command')
    .action((name: string, path: string, options: SignOptions) =>
      sign(context, name.toUpperCase(), path, options),
    );
  withDescription(command, 'Sign a request without sending it, and print its headers for curl');
  withBody(command, ([name = '', path]) => ({ method: name.toUpperCase(), path }));
  withProfile(command, context);
  withExamples(
    command,
    context,
    'curl --config <(keyfront sign GET /planets) http://127.0.0.1:3000/api/v1/planets',
    `keyfront sign POST /dapp/orders -d '{"clientId":"…"}' --curl`,
  );
}

async function sign(context: Context, method: string, path: string, options: SignOptions): Promise<void> {
  if (!methods.includes(method)) {
    throw usageError(`Unknown method ${method}. Use one of ${methods.join(', ')}.`);
  }
  const credentials = await getCredentials(context, options);
  if (!isKeyProfile(credentials)) {
    throw usageError('A token cannot sign requests. Use a profile with an API key.');
  }
  const body = await readBody(context, options);
  const request = await createClient(context, credentials).sign(
    method,
    path,
    body === undefined ? {} : { body },
  );
  const headers = Object.entries(request.headers)
    .filter(([name]) => name.startsWith('x-auth-'))
    .map(([name, value]) => `--header "${name}: ${value}"`);
  if (!options.curl) {
    context.stdout.write(`${headers.join('\n')}\n`);
    return;
  }
  const content =
    body === undefined
      ? []
      : ['--header "content-type: application/json"', `--data-binary ${quoteForShell(body)}`];
  const parts = [`curl --globoff --request ${method}`, ...headers, ...content, quoteForShell(request.url)];
  context.stdout.write(`${parts.join(' \\\n  ')}\n`);
}

function quoteForShell(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
