import { setTimeout as delay } from 'node:timers/promises';
import type { DeliveryListQuery, Webhook, WebhookDelivery, WebhookDeliveryList } from '@keyfront/sdk';
import { type Command, Option } from 'commander';
import { listChoices } from '../api-catalogue.ts';
import { CliError, usageError } from '../cli-error.ts';
import type { Context } from '../context.ts';
import { type ConnectionOptions, openClient } from '../create-client.ts';
import { readSince, sinceForms } from '../events/read-since.ts';
import { withFlagNames } from '../flag-names.ts';
import { type PagingOptions, pageSize, printItems, readItems, withPaging } from '../lists/paging.ts';
import { confirm } from '../terminal/confirm.ts';
import { compactJson, prettyJson } from '../terminal/pretty-json.ts';
import { styleFor } from '../terminal/style.ts';
import { type Column, formatTable } from '../terminal/table.ts';
import {
  withConfirmation,
  withConnection,
  withDescription,
  withExamples,
  withJson,
} from './shared-options.ts';

interface WebhookOptions extends ConnectionOptions {
  readonly events?: string;
  readonly url?: string;
  readonly description?: string;
  readonly enable?: true;
  readonly disable?: true;
  readonly status?: WebhookDelivery['status'];
  readonly after?: string;
  readonly since?: string;
  readonly yes?: true;
  readonly json?: true;
}

const exampleId = '019a8f3e-7c00-7000-8000-000000000801';
/** An endpoint has 15 seconds to respond. */
const testTimeoutMs = 30_000;
const longestPollMs = 1_000;
const flags = {
  url: '--url',
  eventTypes: '--events',
  'eventTypes.0': '--events',
  description: '--description',
  webhookId: '<webhook-id>',
  deliveryId: '<delivery-id>',
  after: '--after',
  since: '--since',
};

const webhookColumns: readonly Column<Webhook>[] = [
  { title: 'ID', cell: ({ id }) => id },
  {
    title: 'STATE',
    cell: ({ disabledReason, failingSince }) => disabledReason ?? (failingSince ? 'failing' : 'ok'),
  },
  { title: 'EVENTS', cell: ({ eventTypes }) => eventTypes.join(','), minWidth: 10 },
  { title: 'URL', cell: ({ url }) => url, minWidth: 20 },
];
const deliveryColumns: readonly Column<WebhookDelivery>[] = [
  { title: 'TIME', cell: ({ createdAt }) => createdAt, shortCell: ({ createdAt }) => createdAt.slice(0, 19) },
  { title: 'EVENT', cell: ({ eventType }) => eventType },
  { title: 'STATUS', cell: ({ status }) => status },
  { title: 'TRIES', cell: ({ attempts }) => String(attempts) },
  {
    title: 'RESPONSE',
    cell: ({ responseStatus, durationMs }) => `${responseStatus ?? '-'} ${durationMs ?? '-'} ms`,
    leaveOutRank: 2,
  },
  { title: 'FAILURE', cell: ({ failure }) => failure ?? '', minWidth: 10, leaveOutRank: 1 },
  { title: 'ID', cell: ({ id }) => id },
];

/** `keyfront webhooks`: where events are sent. */
export function addWebhooks(program: Command, context: Context): void {
  const group = program.command('webhooks');
  withDescription(
    group,
    'Manage where events are sent',
    'A webhook sends events to a URL, signed and repeated until they arrive.',
  );
  withExamples(group, context, "keyfront webhooks create --url https://shop.example/hook --events 'order.*'");

  const add = (
    name: string,
    summary: string,
    run: (options: WebhookOptions) => Promise<void>,
    details?: string,
  ) => {
    const command = group.command(name).action(run);
    withDescription(command, summary, details);
    withJson(command);
    return withConnection(command, context);
  };
  const addForOne = (
    name: string,
    summary: string,
    run: (id: string, options: WebhookOptions) => Promise<void>,
    details?: string,
  ) => {
    const command = group.command(name).argument('<webhook-id>', 'id of the webhook').action(run);
    withDescription(command, summary, details);
    withJson(command);
    return withConnection(command, context);
  };

  const list = add('list', 'List webhooks', (options) => listWebhooks(context, options));
  withExamples(list, context, 'keyfront webhooks list');
  const create = add(
    'create',
    'Create a webhook',
    (options) => createWebhook(context, options),
    'Prints the secret that deliveries are signed with. It is shown only once.',
  );
  create
    .requiredOption('--url <url>', 'where events are sent')
    .requiredOption('--events <types>', "types of events, such as 'order.*,payment.paid'")
    .option('--description <text>', 'what the webhook is for');
  withExamples(create, context, "keyfront webhooks create --url http://localhost:4000/hook --events '*'");
  const show = addForOne('show', 'Show a webhook', (id, options) =>
    print(context, options, (keyfront, signal) => keyfront.webhooks.get(id, { signal })),
  );
  withExamples(show, context, `keyfront webhooks show ${exampleId}`);
  const update = addForOne('update', 'Change a webhook', (id, options) =>
    updateWebhook(context, id, options),
  );
  update
    .option('--url <url>', 'where events are sent')
    .option('--events <types>', "types of events, such as 'order.*,payment.paid'")
    .option('--description <text>', 'what the webhook is for')
    .option('--enable', 'send events')
    .option('--disable', 'send no events');
  withExamples(update, context, `keyfront webhooks update ${exampleId} --enable`);
  const remove = addForOne('delete', 'Delete a webhook', (id, options) =>
    deleteWebhook(context, id, options),
  );
  withConfirmation(remove);
  withExamples(remove, context, `keyfront webhooks delete ${exampleId}`);
  const rotate = addForOne(
    'rotate-secret',
    'Replace the secret of a webhook',
    (id, options) => rotateSecret(context, id, options),
    'For 24 hours, deliveries are signed with the previous secret as well.',
  );
  withExamples(rotate, context, `keyfront webhooks rotate-secret ${exampleId}`);
  const test = addForOne(
    'test',
    'Send a test message',
    (id, options) => testWebhook(context, id, options),
    'The message has the type webhook.test. Waits until the endpoint has responded, and fails if it does not accept the message.',
  );
  withExamples(test, context, `keyfront webhooks test ${exampleId}`);
  const deliveries = addForOne('deliveries', 'List the latest deliveries', (id, options) =>
    listDeliveries(context, id, options as WebhookOptions & PagingOptions),
  );
  withPaging(deliveries);
  deliveries.addOption(
    new Option('--status <status>', 'only deliveries with this status').choices(
      listChoices('listWebhookDeliveries', 'status'),
    ),
  );
  withExamples(deliveries, context, `keyfront webhooks deliveries ${exampleId} --status FAILED`);
  const retry = group
    .command('retry')
    .argument('<webhook-id>', 'id of the webhook')
    .argument('<delivery-id>', 'id of the delivery')
    .action((id: string, deliveryId: string, options: WebhookOptions) =>
      print(context, options, (keyfront, signal) =>
        keyfront.webhooks.retryDelivery(id, deliveryId, { signal }),
      ),
    );
  withDescription(retry, 'Send a delivery again');
  withJson(retry);
  withConnection(retry, context);
  withExamples(retry, context, `keyfront webhooks retry ${exampleId} 019a8f3e-7c00-7000-8000-000000000811`);
  const replay = addForOne('replay', 'Send events again, after one or since a time', (id, options) =>
    replayEvents(context, id, options),
  );
  replay
    .option('--after <event-id>', 'events after the one with this id')
    .option('--since <time>', `events since then: ${sinceForms}`);
  withExamples(
    replay,
    context,
    `keyfront webhooks replay ${exampleId} --since 2h`,
    `keyfront webhooks replay ${exampleId} --after evt_000000000bn0000000301ja3dj7e0`,
  );
}

type Client = Awaited<ReturnType<typeof openClient>>;

async function print(
  context: Context,
  options: WebhookOptions,
  call: (keyfront: Client, signal: AbortSignal) => Promise<object>,
): Promise<void> {
  const { stdout, env, signal } = context;
  const keyfront = await openClient(context, options);
  const result = await withFlagNames(flags, () => call(keyfront, signal));
  stdout.write(`${options.json ? compactJson(result) : prettyJson(result, styleFor(stdout, env))}\n`);
}

async function listWebhooks(context: Context, options: WebhookOptions): Promise<void> {
  const { stdout, stderr, signal } = context;
  const keyfront = await openClient(context, options);
  const { webhooks } = await keyfront.webhooks.list({ signal });
  if (options.json) stdout.write(`${compactJson(webhooks)}\n`);
  else if (webhooks.length > 0) stdout.write(formatTable(webhookColumns, webhooks, stdout));
  else stderr.write('No webhooks.\n');
}

async function createWebhook(context: Context, options: WebhookOptions): Promise<void> {
  const { url = '', events, description, json } = options;
  const keyfront = await openClient(context, options);
  const body = {
    url,
    eventTypes: readTypes(events) ?? [],
    ...(description !== undefined && { description }),
  };
  const webhook = await withFlagNames(flags, () =>
    keyfront.webhooks.create(body, { signal: context.signal }),
  );
  printSecret(context, webhook, json);
  if (!json)
    context.stderr.write(
      `Give it to the receiver, and see whether events arrive there: keyfront webhooks test ${webhook.id}\n`,
    );
}

/** Sends a test, and waits for what comes of it. */
async function testWebhook(context: Context, id: string, options: WebhookOptions): Promise<void> {
  const { stdout, env, signal } = context;
  const keyfront = await openClient(context, options);
  const delivery = await withFlagNames(flags, async () =>
    waitForDelivery(keyfront, await keyfront.webhooks.test(id, { signal }), signal),
  );
  stdout.write(`${options.json ? compactJson(delivery) : prettyJson(delivery, styleFor(stdout, env))}\n`);
  if (delivery.status === 'FAILED') throw new CliError(`The test was not accepted: ${delivery.failure}`);
  if (delivery.status === 'PENDING')
    throw new CliError(`The test was not sent yet: see \`keyfront webhooks deliveries ${id}\``);
}

/** Returns the delivery when the endpoint has responded, or as it is when the time is up. */
async function waitForDelivery(
  keyfront: Client,
  delivery: WebhookDelivery,
  signal: AbortSignal,
): Promise<WebhookDelivery> {
  const endAt = performance.now() + testTimeoutMs;
  let latest = delivery;
  for (let pollMs = 100; latest.status === 'PENDING' && performance.now() < endAt; pollMs *= 2) {
    await delay(Math.min(pollMs, longestPollMs), undefined, { signal });
    const { deliveries } = await keyfront.webhooks.listDeliveries(delivery.webhookId, {}, { signal });
    latest = deliveries.find(({ id }) => id === delivery.id) ?? latest;
  }
  return latest;
}

async function rotateSecret(context: Context, id: string, options: WebhookOptions): Promise<void> {
  const keyfront = await openClient(context, options);
  const webhook = await withFlagNames(flags, () =>
    keyfront.webhooks.rotateSecret(id, { signal: context.signal }),
  );
  printSecret(context, webhook, options.json);
}

function printSecret(
  { stdout, stderr }: Context,
  webhook: { readonly id: string; readonly secret: string },
  json: true | undefined,
): void {
  if (json) {
    stdout.write(`${compactJson(webhook)}\n`);
    return;
  }
  stderr.write(`Webhook ${webhook.id}. Its secret is shown only now:\n`);
  stdout.write(`${webhook.secret}\n`);
}

async function updateWebhook(context: Context, id: string, options: WebhookOptions): Promise<void> {
  const { url, events, description, enable, disable } = options;
  if (enable && disable) throw usageError('--enable and --disable exclude each other');
  const eventTypes = readTypes(events);
  const change = {
    ...(url !== undefined && { url }),
    ...(eventTypes && { eventTypes }),
    ...(description !== undefined && { description }),
    ...((enable || disable) && { isEnabled: enable === true }),
  };
  if (Object.keys(change).length === 0)
    throw usageError('Nothing to change: see `keyfront webhooks update --help`');
  await print(context, options, (keyfront, signal) => keyfront.webhooks.update(id, change, { signal }));
}

async function replayEvents(context: Context, id: string, options: WebhookOptions): Promise<void> {
  const { after, since } = options;
  if ((after === undefined) === (since === undefined)) throw usageError('Pass either --after or --since');
  const body =
    since === undefined ? { after: after ?? '' } : { since: readSince(since, context.now()).toISOString() };
  await print(context, options, (keyfront, signal) => keyfront.webhooks.replay(id, body, { signal }));
}

async function deleteWebhook(context: Context, id: string, options: WebhookOptions): Promise<void> {
  const { stderr, stdout, signal } = context;
  const keyfront = await openClient(context, options);
  if (!options.yes) await confirm(context, `Delete webhook ${id}?`);
  const webhook = await withFlagNames(flags, () => keyfront.webhooks.delete(id, { signal }));
  if (options.json) stdout.write(`${compactJson(webhook)}\n`);
  else stderr.write(`Deleted webhook ${id}.\n`);
}

async function listDeliveries(
  context: Context,
  id: string,
  options: WebhookOptions & PagingOptions,
): Promise<void> {
  const keyfront = await openClient(context, options);
  const query = { take: pageSize(options), ...(options.status && { status: options.status }) };
  const read = await withFlagNames(flags, () =>
    readItems(walkDeliveries(keyfront, id, query, context.signal), options),
  );
  const isJson = options.json === true;
  printItems(context, read, { columns: deliveryColumns, nothing: 'No deliveries.', isJson });
}

/** Yields the deliveries of a webhook, newest first, page by page. */
async function* walkDeliveries(
  keyfront: Client,
  id: string,
  query: DeliveryListQuery,
  signal: AbortSignal,
): AsyncGenerator<WebhookDelivery, void> {
  let before: string | undefined;
  do {
    const page: WebhookDeliveryList = await keyfront.webhooks.listDeliveries(
      id,
      { ...query, ...(before && { before }) },
      { signal },
    );
    yield* page.deliveries;
    before = page.hasMore ? page.deliveries.at(-1)?.id : undefined;
  } while (before !== undefined);
}

function readTypes(text: string | undefined): string[] | undefined {
  return text?.split(',').map((type) => type.trim());
}
