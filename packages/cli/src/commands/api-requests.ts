import { Argument, type Command, Option } from 'commander';
import { usageError } from '../cli-error.ts';
import { completeField } from '../completion/complete-field.ts';
import { completePath } from '../completion/complete-path.ts';
import { completeWith } from '../completion/completers.ts';
import type { Context } from '../context.ts';
import { type ConnectionOptions, openClient } from '../create-client.ts';
import { confirm } from '../terminal/confirm.ts';
import { compactJson, prettyJson } from '../terminal/pretty-json.ts';
import { styleFor } from '../terminal/style.ts';
import { type BodyOptions, readBody, withBody } from './request-body.ts';
import {
  collect,
  withConfirmation,
  withConnection,
  withDescription,
  withExamples,
  withIdempotencyKey,
  withJson,
} from './shared-options.ts';

interface ApiRequestOptions extends ConnectionOptions, BodyOptions {
  readonly query?: readonly string[];
  readonly json?: true;
  readonly idempotencyKey?: string;
  readonly yes?: true;
}

const examples = {
  get: ['keyfront get /planets', "keyfront get /dapp/strains -q 'search=lunar saffron' -q take=5"],
  post: [
    'keyfront post /dapp/clients -f firstName=Ada -f lastName=Example -f email=ada@example.org',
    `keyfront post /dapp/carts -d '{"clientId":"…","cartItems":[{"strainId":"…","quantity":2}]}'`,
    'keyfront post /dapp/orders -d @order.json --idempotency-key order-42',
    'jq … | keyfront post /dapp/clients -d -',
  ],
  patch: [
    'keyfront patch /dapp/sales -q id=… -f stage=CLOSED',
    'keyfront patch /admin/clients/… -f adminApproval=VERIFIED -f isKYCVerified:=true --profile admin',
  ],
  put: [
    `keyfront put /dapp/carts/… -d '{"items":[{"strainId":"…","quantity":2}]}'`,
    'keyfront put /admin/delivery-charges -f countryCode=DEU -f currency=EUR -f deliveryCharge:=4.9 --profile admin',
  ],
  delete: ['keyfront delete /dapp/carts/…', 'keyfront delete /dapp/carts/… -q strainId=…'],
} as const;

/** `keyfront get|post|patch|put|delete PATH`: calls any operation of the API. */
export function addApiRequests(program: Command, context: Context): void {
  for (const [name, lines] of Object.entries(examples)) {
    const method = name.toUpperCase();
    const command = program
      .command(name)
      .addArgument(createPathArgument('path after /api/v1; may contain a query', () => method))
      .addOption(createQueryOption(method))
      .action((path: string, options: ApiRequestOptions) => sendRequest(context, method, path, options));
    withDescription(command, `Send a ${method} request and print the data of the response`);
    if (name !== 'get') withBody(command, ([path]) => ({ method, path }));
    if (name === 'post') withIdempotencyKey(command);
    if (name === 'delete') withConfirmation(command);
    withJson(command);
    withConnection(command, context);
    withExamples(command, context, ...lines);
  }
}

/** A path of the API. `methodOf` finds the method for its completion in the arguments before it. */
export function createPathArgument(
  description: string,
  methodOf: (operands: readonly string[]) => string,
): Argument {
  const argument = new Argument('<path>', description);
  completeWith(argument, (typed, operands) => completePath(methodOf(operands), typed));
  return argument;
}

function createQueryOption(method: string): Option {
  const option = new Option('-q, --query <name=value>', 'query parameter; repeatable').argParser(collect);
  completeWith(option, (typed, [path]) => completeField('query', method, path, typed));
  return option;
}

async function sendRequest(
  context: Context,
  method: string,
  path: string,
  options: ApiRequestOptions,
): Promise<void> {
  const { json, idempotencyKey } = options;
  const keyfront = await openClient(context, options);
  const query = new URLSearchParams((options.query ?? []).map(parseParameter));
  const body = await readBody(context, options);
  if (method === 'DELETE' && !options.yes) await confirm(context, `Send DELETE ${path}?`);
  const content = { query, ...(body === undefined ? {} : { body }) };
  const data = await keyfront.request<unknown>(method, path, {
    ...content,
    signal: context.signal,
    ...(idempotencyKey ? { idempotencyKey } : {}),
  });
  const text = json ? compactJson(data) : prettyJson(data, styleFor(context.stdout, context.env));
  context.stdout.write(`${text}\n`);
}

function parseParameter(text: string): [string, string] {
  const at = text.indexOf('=');
  if (at < 1) throw usageError(`Invalid query parameter "${text}". Write it as name=value.`);
  return [text.slice(0, at), text.slice(at + 1)];
}
