import type { OrderChange, OrderWithLines } from '@keyfront/sdk';
import { type Command, Option } from 'commander';
import { usageError } from '../cli-error.ts';
import type { Context } from '../context.ts';
import { type ConnectionOptions, openClient } from '../create-client.ts';
import { withFlagNames } from '../flag-names.ts';
import { confirm } from '../terminal/confirm.ts';
import { compactJson } from '../terminal/pretty-json.ts';
import {
  collect,
  withConfirmation,
  withConnection,
  withDescription,
  withExamples,
  withJson,
} from './shared-options.ts';

interface ChangeOptions extends ConnectionOptions {
  readonly json?: true;
}

interface UpdateOptions extends ChangeOptions {
  readonly externalReference?: string;
  readonly metadata?: readonly string[];
  readonly removeMetadata?: readonly string[];
}

interface CancelOptions extends ChangeOptions {
  readonly yes?: true;
}

const flags = {
  orderId: '<order-id>',
  externalReference: '--external-reference',
  metadata: '--metadata',
};

/** Makes `keyfront orders update` of a command that has the id of an order. Returns its examples. */
export function makeUpdate(command: Command, context: Context, exampleId: string): readonly string[] {
  command
    .option('--external-reference <text>', 'ID of the order in your own system; an empty text removes it')
    .addOption(new Option('--metadata <name=value>', 'metadata to set; repeatable').argParser(collect))
    .addOption(new Option('--remove-metadata <name>', 'metadata to remove; repeatable').argParser(collect))
    .action((id: string, options: UpdateOptions) => updateOrder(context, id, options));
  withDescription(command, 'Set the reference or metadata of an order', 'Metadata that is not named stays.');
  withConnection(withJson(command), context);
  const examples = [
    `keyfront orders update ${exampleId} --external-reference shop-4711 --metadata campaign=spring`,
    `keyfront orders update ${exampleId} --remove-metadata campaign`,
  ];
  withExamples(command, context, ...examples);
  return examples;
}

/** Makes `keyfront orders cancel` of a command that has the id of an order. Returns its examples. */
export function makeCancel(command: Command, context: Context, exampleId: string): readonly string[] {
  command.action((id: string, options: CancelOptions) => cancelOrder(context, id, options));
  withDescription(
    command,
    'Cancel an order that is still pending',
    'Its approval and its payment must be pending too. Its units return to the stock. This cannot be undone.',
  );
  withConfirmation(command);
  withConnection(withJson(command), context);
  const examples = [`keyfront orders cancel ${exampleId}`];
  withExamples(command, context, ...examples);
  return examples;
}

async function updateOrder(context: Context, id: string, options: UpdateOptions): Promise<void> {
  const change = readChange(options);
  const keyfront = await openClient(context, options);
  const order = await withFlagNames(flags, () =>
    keyfront.orders.update(id, change, { signal: context.signal }),
  );
  printOrder(context, order, 'Updated', options);
}

function readChange({ externalReference, metadata = [], removeMetadata = [] }: UpdateOptions): OrderChange {
  const notes = [...metadata.map(readNote), ...removeMetadata.map((name): [string, null] => [name, null])];
  if (externalReference === undefined && notes.length === 0) {
    throw usageError('Use --external-reference, --metadata or --remove-metadata');
  }
  return {
    ...(externalReference !== undefined && { externalReference }),
    ...(notes.length > 0 && { metadata: Object.fromEntries(notes) }),
  };
}

function readNote(text: string): [string, string] {
  const at = text.indexOf('=');
  if (at < 1) throw usageError(`Invalid metadata "${text}". Write it as name=value.`);
  return [text.slice(0, at), text.slice(at + 1)];
}

async function cancelOrder(context: Context, id: string, options: CancelOptions): Promise<void> {
  const keyfront = await openClient(context, options);
  if (!options.yes) await confirm(context, `Cancel order ${id}? This cannot be undone.`);
  const order = await withFlagNames(flags, () => keyfront.orders.cancel(id, { signal: context.signal }));
  printOrder(context, order, 'Cancelled', options);
}

function printOrder({ stdout }: Context, order: OrderWithLines, done: string, { json }: ChangeOptions): void {
  stdout.write(`${json ? compactJson(order) : `${done} order ${order.id}.`}\n`);
}
