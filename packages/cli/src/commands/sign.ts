import type { SignedRequest } from '@keyfront/sdk';
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
  readonly simple?: true;
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
    .option('--simple', 'sign only the body or the query, for x-auth-apikey and x-auth-signature')
    .option('--curl', 'print a complete curl command')
    .action((name: string, path: string, options: SignOptions) =>
      sign(context, name.toUpperCase(), path, options),
    );
  withDescription(
    command,
    'Sign a request without sending it, and print its headers for curl',
    'The signature is bound to the request (RFC 9421): it is accepted for five minutes, only at this address, and only once for a change. With --simple, ' +
      'it covers the body or the query and is valid for as long as the API key.',
  );
  withBody(command, ([name = '', path]) => ({ method: name.toUpperCase(), path }));
  withProfile(command, context);
  withExamples(
    command,
    context,
    'curl --config <(keyfront sign GET /planets) http://127.0.0.1:3000/api/v1/planets',
    `keyfront sign POST /dapp/orders -d '{"clientId":"…"}' --curl`,
    `keyfront sign POST /dapp/orders -d '{"clientId":"…"}' --simple --curl`,
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
  const signatures = options.simple ? 'simple' : 'bound';
  const keyfront = createClient(context, credentials, { signatures });
  const request = await keyfront.sign(method, path, body === undefined ? {} : { body });
  context.stderr.write(`${describeValidity(request, signatures)}\n`);
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

/** What the user must know to use the signature: where and for how long it is accepted. */
function describeValidity({ method, url }: SignedRequest, form: 'bound' | 'simple'): string {
  if (form === 'simple') return 'Simple signature: valid for as long as the API key. Keep it secret.';
  const often = method === 'GET' ? '' : ', once';
  return `Bound signature: accepted for five minutes${often}, for ${method} ${url} only. --simple prints one that is not bound.`;
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
