import type { Client, ClientListQuery, Keyfront } from '@keyfront/sdk';
import { Argument, type Command } from 'commander';
import { usageError } from '../cli-error.ts';
import type { Context } from '../context.ts';
import { type ConnectionOptions, openClient } from '../create-client.ts';
import { withFlagNames } from '../flag-names.ts';
import { makeListCommand } from '../lists/list-command.ts';
import { confirm } from '../terminal/confirm.ts';
import { compactJson } from '../terminal/pretty-json.ts';
import type { Column } from '../terminal/table.ts';
import {
  withConfirmation,
  withConnection,
  withDescription,
  withExamples,
  withJson,
} from './shared-options.ts';

interface ClientOptions extends ConnectionOptions {
  readonly json?: true;
}

interface ArchiveOptions extends ClientOptions {
  readonly erase?: true;
  readonly yes?: true;
}

const flags = { clientId: '<client-id>' };

/** The ID is never cut, because the other commands need all of it. */
const columns: readonly Column<Client>[] = [
  { title: 'ID', cell: ({ id }) => id },
  { title: 'NAME', cell: ({ firstName, lastName }) => `${firstName} ${lastName}`, minWidth: 10 },
  { title: 'EMAIL', cell: ({ email }) => email, minWidth: 12, leaveOutRank: 2 },
  { title: 'APPROVAL', cell: ({ adminApproval }) => adminApproval, leaveOutRank: 3 },
  { title: 'STATUS', cell: ({ isActive }) => (isActive ? 'ACTIVE' : 'INACTIVE'), leaveOutRank: 1 },
];

const exampleId = '019a8f3e-7c00-7000-8000-000000000201';

/** `keyfront clients list|kyc-link|activate|deactivate|consent|archive`: manages the clients of the digital key. */
export function addClients(program: Command, context: Context): void {
  const clients = program.command('clients');
  withDescription(clients, 'List, verify, activate, deactivate and archive clients');
  const examples = {
    list: "keyfront clients list --search 'Ada Exa' --status ACTIVE",
    'kyc-link': `keyfront clients kyc-link ${exampleId}`,
    activate: `keyfront clients activate ${exampleId}`,
    deactivate: `keyfront clients deactivate ${exampleId}`,
    consent: `keyfront clients consent ${exampleId} yes`,
    archive: `keyfront clients archive ${exampleId} --erase`,
  };
  withExamples(clients, context, ...Object.values(examples));

  const list = clients.command('list');
  withDescription(list, 'List clients, newest first');
  makeListCommand<Client, ClientListQuery, Keyfront>(list, context, {
    operation: 'listClients',
    names: { adminApproval: 'approval' },
    columns,
    nothing: 'No clients.',
    list: (keyfront, query, options) => keyfront.clients.list(query, options),
    open: openClient,
  });

  const link = withId(clients.command('kyc-link')).action((id: string, options: ClientOptions) =>
    createKycLink(context, id, options),
  );
  withDescription(
    link,
    'Create a new identity check link for a client',
    'Prints the link. The earlier link of the client is no longer valid.',
  );

  const activate = withId(clients.command('activate')).action((id: string, options: ClientOptions) =>
    changeClient(context, options, 'Activated', (keyfront, signal) =>
      keyfront.clients.activate(id, { signal }),
    ),
  );
  withDescription(activate, 'Let a client order again');
  const deactivate = withId(clients.command('deactivate')).action((id: string, options: ClientOptions) =>
    changeClient(context, options, 'Deactivated', (keyfront, signal) =>
      keyfront.clients.deactivate(id, { signal }),
    ),
  );
  withDescription(deactivate, 'Keep a client from ordering');
  const consent = withId(clients.command('consent'))
    .addArgument(new Argument('<answer>', 'whether the client agrees').choices(['yes', 'no']))
    .action((id: string, answer: 'yes' | 'no', options: ClientOptions) =>
      changeClient(context, options, 'Recorded the answer of', (keyfront, signal) =>
        keyfront.clients.updateMarketingConsent(id, { marketingConsent: answer === 'yes' }, { signal }),
      ),
    );
  withDescription(consent, 'Record whether a client agrees to receive marketing');

  const archive = withId(clients.command('archive'))
    .option('--erase', 'also erase personal data, except what invoices need')
    .action((id: string, options: ArchiveOptions) => archiveClient(context, id, options));
  withDescription(
    archive,
    'Archive a client',
    'The client disappears from lists and cannot order any more. Its orders remain. This cannot be undone. In a script, --erase ' +
      'requires --yes.',
  );
  withConfirmation(archive);
  for (const command of clients.commands) {
    if (command !== list) withConnection(withJson(command), context);
    withExamples(command, context, examples[command.name() as keyof typeof examples]);
  }
}

function withId(command: Command): Command {
  return command.argument('<client-id>', 'ID of the client, from `keyfront clients list`');
}

async function createKycLink(context: Context, id: string, options: ClientOptions): Promise<void> {
  const keyfront = await openClient(context, options);
  const link = await withFlagNames(flags, () =>
    keyfront.clients.createKycLink(id, {}, { signal: context.signal }),
  );
  context.stdout.write(`${options.json ? compactJson(link) : link.kycLink}\n`);
}

async function changeClient(
  context: Context,
  options: ClientOptions,
  done: string,
  send: (keyfront: Keyfront, signal: AbortSignal) => Promise<Client>,
): Promise<void> {
  const keyfront = await openClient(context, options);
  const client = await withFlagNames(flags, () => send(keyfront, context.signal));
  context.stdout.write(`${options.json ? compactJson(client) : `${done} client ${client.id}.`}\n`);
}

async function archiveClient(context: Context, id: string, options: ArchiveOptions): Promise<void> {
  const { erase, yes } = options;
  // Nobody can be asked, and nothing brings the data back.
  if (erase && !yes && !context.stdin.isTTY) throw usageError('--erase requires --yes without a terminal');
  const keyfront = await openClient(context, options);
  if (!yes) {
    const action = erase ? 'Archive client and erase its personal data' : 'Archive client';
    await confirm(context, `${action}: ${id}? This cannot be undone.`);
  }
  const query = erase ? ({ erase: 'true' } as const) : {};
  const archived = await withFlagNames(flags, () =>
    keyfront.clients.archive(id, query, { signal: context.signal }),
  );
  const erased = archived.erasedAt === null ? '' : ' and erased its personal data';
  context.stdout.write(`${options.json ? compactJson(archived) : `Archived client ${id}${erased}.`}\n`);
}
