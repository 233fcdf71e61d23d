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
  readonly bound?: true;
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
    .option('--bound', 'bind the signature to the request and the time (RFC 9421)')
    .option('--curl', 'print a complete curl command')
    .action((name: string, path: string, options: SignOptions) =>
      sign(context, name.toUpperCase(), path, options),
    );
  withDescription(
    command,
    'Sign a request without sending it, and print its headers for curl',
    'Without --bound, the signature covers the body or the query and is valid for as long as the API key. With --bound, it is accepted for five minutes, only at ' +
      'this address, and only once for a change.',
  );
  withBody(command, ([name = '', path]) => ({ method: name.toUpperCase(), path }));
  withProfile(command, context);
  withExamples(
    command,
    context,
    'curl --config <(keyfront sign GET /planets) http://127.0.0.1:3000/api/v1/planets',
    `keyfront sign POST /dapp/orders -d '{"clientId":"…"}' --curl`,
    `keyfront sign POST /dapp/orders -d '{"clientId":"…"}' --bound --curl`,
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
  const keyfront = createClient(context, credentials, { signatures: options.bound ? 'bound' : 'simple' });
  const request = await keyfront.sign(method, path, body === undefined ? {} : { body });
  const headers = Object.entries(request.headers)
    .filter(([name]) => signatureHeaders.has(name) || name.startsWith('x-auth-'))
    .map(([name, value]) => `--header ${quoteHeader(name, value)}`);
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

const signatureHeaders = new Set(['signature-input', 'signature', 'content-digest']);

/**
 * Quotes a header so that a shell and the file of `curl --config` read the same. Signatures contain nothing else that a
 * shell replaces.
 */
function quoteHeader(name: string, value: string): string {
  return `"${name}: ${value.replaceAll(/["\\]/g, '\\$&')}"`;
}

function quoteForShell(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
