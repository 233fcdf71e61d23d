import type { KeyfrontEvent } from '@keyfront/sdk';
import { type Command, InvalidArgumentError, Option } from 'commander';
import type { Context } from '../context.ts';
import { type ConnectionOptions, openClient } from '../create-client.ts';
import { readSince, sinceForms } from '../events/read-since.ts';
import { walkEvents, walkNewestEvents } from '../events/walk-events.ts';
import { withFlagNames } from '../flag-names.ts';
import { compactJson, prettyJson } from '../terminal/pretty-json.ts';
import { styleFor } from '../terminal/style.ts';
import { type Column, formatTable } from '../terminal/table.ts';
import { withConnection, withDescription, withExamples, withJson } from './shared-options.ts';

interface EventOptions extends ConnectionOptions {
  readonly events?: string;
  readonly after?: string;
  readonly since?: string;
  readonly newest?: number;
  readonly json?: true;
}

const exampleId = 'evt_000000000bn0000000301ja3dj7e0';
const flags = { type: '--events', after: '--after', eventId: '<event-id>' };

const columns: readonly Column<KeyfrontEvent>[] = [
  { title: 'TIME', cell: ({ createdAt }) => createdAt, shortCell: ({ createdAt }) => createdAt.slice(0, 19) },
  { title: 'TYPE', cell: ({ type }) => type },
  { title: 'RESOURCE', cell: ({ data }) => data.id, leaveOutRank: 1 },
  { title: 'ID', cell: ({ id }) => id },
];

/** `keyfront events`: reads the log of events. */
export function addEvents(program: Command, context: Context): void {
  const group = program.command('events');
  withDescription(group, 'List and show events', '`keyfront listen` follows them as they happen.');
  withExamples(group, context, 'keyfront events list --since 1h');

  const list = group
    .command('list')
    .option('--events <types>', 'only these types, such as order.*,payment.paid')
    .option('--after <id>', 'only events after this one')
    .option('--since <time>', `only events since then: ${sinceForms}`)
    .addOption(
      new Option('--newest <count>', 'only this many events, newest first')
        .argParser(readCount)
        .conflicts('after'),
    )
    .action((options: EventOptions) => listEvents(context, options));
  withDescription(list, 'List events, oldest first unless `--newest` is given');
  withJson(list);
  withConnection(list, context);
  withExamples(list, context, 'keyfront events list --events order.* --since 1d');

  const show = group
    .command('show')
    .argument('<event-id>', 'id of the event')
    .action((id: string, options: EventOptions) => showEvent(context, id, options));
  withDescription(
    show,
    'Show an event',
    'Prints the event as JSON, with the resource as it was at that moment.',
  );
  withJson(show);
  withConnection(show, context);
  withExamples(show, context, `keyfront events show ${exampleId}`);
}

async function listEvents(context: Context, options: EventOptions): Promise<void> {
  const { events: type, after, since, newest } = options;
  const { stdout, stderr, signal, now } = context;
  const begin = since === undefined ? undefined : readSince(since, now());
  const keyfront = await openClient(context, options);
  const events: KeyfrontEvent[] = [];
  await withFlagNames(flags, async () => {
    const filter = { ...(type && { type }), since: begin, signal };
    const walk =
      newest === undefined
        ? walkEvents(keyfront, { ...filter, after: after ?? null })
        : walkNewestEvents(keyfront, newest, filter);
    for await (const event of walk) events.push(event);
  });
  if (options.json) stdout.write(`${compactJson(events)}\n`);
  else if (events.length > 0) stdout.write(formatTable(columns, events, stdout));
  else stderr.write('No events.\n');
}

async function showEvent(context: Context, id: string, options: EventOptions): Promise<void> {
  const { stdout, env, signal } = context;
  const keyfront = await openClient(context, options);
  const event = await withFlagNames(flags, () => keyfront.events.get(id, { signal }));
  stdout.write(`${options.json ? compactJson(event) : prettyJson(event, styleFor(stdout, env))}\n`);
}

function readCount(text: string): number {
  if (!/^[1-9]\d{0,5}$/.test(text)) throw new InvalidArgumentError('It must be a number from 1 to 999999.');
  return Number(text);
}
