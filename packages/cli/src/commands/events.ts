import type { KeyfrontEvent } from '@keyfront/sdk';
import { type Command, Option } from 'commander';
import type { Context } from '../context.ts';
import { type ConnectionOptions, openClient } from '../create-client.ts';
import { readSince, sinceForms } from '../events/read-since.ts';
import { walkEvents, walkNewestEvents } from '../events/walk-events.ts';
import { withFlagNames } from '../flag-names.ts';
import { type PagingOptions, printItems, readCount, readItems, withPaging } from '../lists/paging.ts';
import { compactJson, prettyJson } from '../terminal/pretty-json.ts';
import { styleFor } from '../terminal/style.ts';
import type { Column } from '../terminal/table.ts';
import { withConnection, withDescription, withExamples, withJson } from './shared-options.ts';

interface EventOptions extends ConnectionOptions {
  readonly events?: string;
  readonly after?: string;
  readonly since?: string;
  readonly newest?: number;
  readonly json?: true;
}

type EventListOptions = EventOptions & PagingOptions;

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
    .option('--events <types>', "only these types, such as 'order.*,payment.paid'")
    .option('--after <id>', 'only events after this one')
    .option('--since <time>', `only events since then: ${sinceForms}`)
    .addOption(
      new Option('--newest <count>', 'only this many events, newest first')
        .argParser(readCount)
        .conflicts(['after', 'limit', 'all']),
    )
    .action((options: EventListOptions) => listEvents(context, options));
  withDescription(list, 'List events, oldest first unless `--newest` is given');
  withPaging(list);
  withJson(list);
  withConnection(list, context);
  withExamples(
    list,
    context,
    "keyfront events list --events 'order.*' --since 1d",
    'keyfront events list --newest 10',
  );

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

async function listEvents(context: Context, options: EventListOptions): Promise<void> {
  const { events: type, after, since, newest } = options;
  const { signal, now } = context;
  const begin = since === undefined ? undefined : readSince(since, now());
  const keyfront = await openClient(context, options);
  const filter = { ...(type && { type }), since: begin, signal };
  const read = await withFlagNames(flags, () =>
    newest === undefined
      ? readItems(walkEvents(keyfront, { ...filter, after: after ?? null }), options)
      : readItems(walkNewestEvents(keyfront, newest, filter), { limit: newest, all: true }),
  );
  printItems(context, read, {
    columns,
    nothing: 'No events.',
    isJson: options.json === true,
    more: `Use --after ${read.items.at(-1)?.id}, --limit or --all to see more.`,
  });
}

async function showEvent(context: Context, id: string, options: EventOptions): Promise<void> {
  const { stdout, env, signal } = context;
  const keyfront = await openClient(context, options);
  const event = await withFlagNames(flags, () => keyfront.events.get(id, { signal }));
  stdout.write(`${options.json ? compactJson(event) : prettyJson(event, styleFor(stdout, env))}\n`);
}
