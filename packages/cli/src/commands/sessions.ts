import type { Session } from '@keyfront/sdk';
import type { Command } from 'commander';
import { usageError } from '../cli-error.ts';
import type { Context } from '../context.ts';
import type { ConnectionOptions } from '../create-client.ts';
import { withFlagNames } from '../flag-names.ts';
import { openWalletClient } from '../open-wallet-client.ts';
import { confirm } from '../terminal/confirm.ts';
import { compactJson } from '../terminal/pretty-json.ts';
import { type Column, formatTable } from '../terminal/table.ts';
import {
  withConfirmation,
  withConnection,
  withDescription,
  withExamples,
  withJson,
} from './shared-options.ts';

interface ListOptions extends ConnectionOptions {
  readonly json?: true;
}

interface EndOptions extends ListOptions {
  readonly others?: true;
  readonly yes?: true;
}

const flags = { sessionId: '<session-id>' };
const exampleId = '019a8f3e-7c00-7000-8000-000000000151';

/** The ID is never cut, because `sessions end` needs all of it. */
const columns: readonly Column<Session>[] = [
  { title: 'ID', cell: ({ id }) => id },
  { title: 'ROLE', cell: ({ role }) => role },
  { title: 'DOMAIN', cell: ({ domain }) => domain, minWidth: 10 },
  {
    title: 'SIGNED IN',
    cell: ({ createdAt }) => createdAt,
    shortCell: ({ createdAt }) => createdAt.slice(0, 16),
    leaveOutRank: 1,
  },
  {
    title: 'EXPIRES',
    cell: ({ expiresAt }) => expiresAt,
    shortCell: ({ expiresAt }) => expiresAt.slice(0, 16),
    leaveOutRank: 2,
  },
  { title: 'CURRENT', cell: ({ isCurrent }) => (isCurrent ? 'yes' : '') },
];

/** `keyfront sessions list|end`: manages the sessions of a signed-in wallet. */
export function addSessions(program: Command, context: Context): void {
  const sessions = program.command('sessions');
  withDescription(
    sessions,
    'List and end the sessions of a wallet',
    'Each sign-in of a wallet begins a session. These commands need a profile that is signed in. `keyfront logout` ends its own session.',
  );
  const list = sessions.command('list').action((options: ListOptions) => listSessions(context, options));
  withDescription(list, 'List the live sessions of the wallet');
  const end = sessions
    .command('end')
    .argument('[session-id]', 'ID of the session, from `keyfront sessions list`')
    .option('--others', 'end all sessions but that of the profile')
    .action((id: string | undefined, options: EndOptions) => endSessions(context, id, options));
  withDescription(
    end,
    'End a session, or all others',
    'The service rejects its token from then on. API keys stay valid: `keyfront keys revoke` revokes one.',
  );
  withConfirmation(end);
  for (const command of [list, end]) withConnection(withJson(command), context);
  const examples = {
    list: 'keyfront sessions list --profile wallet',
    end: `keyfront sessions end ${exampleId} --profile wallet`,
    others: 'keyfront sessions end --others --profile wallet',
  };
  withExamples(sessions, context, examples.list, examples.others);
  withExamples(list, context, examples.list);
  withExamples(end, context, examples.end, examples.others);
}

const limitation = 'An API key has no sessions.';

async function listSessions(context: Context, options: ListOptions): Promise<void> {
  const { stdout, signal } = context;
  const { keyfront } = await openWalletClient(context, options, limitation);
  const { sessions } = await keyfront.auth.listSessions({ signal });
  stdout.write(options.json ? `${compactJson(sessions)}\n` : formatTable(columns, sessions, stdout));
}

async function endSessions(context: Context, id: string | undefined, options: EndOptions): Promise<void> {
  const { stdout, signal } = context;
  const { others, yes, json } = options;
  if ((id === undefined) === (others === undefined)) {
    throw usageError('Name one session, or use --others to end all sessions but that of the profile');
  }
  const { keyfront } = await openWalletClient(context, options, limitation);
  if (id === undefined) {
    if (!yes) await confirm(context, 'End all other sessions of the wallet?');
    const ended = await keyfront.auth.endSessions({ keepCurrent: 'true' }, { signal });
    const { endedCount } = ended;
    const shown = `Ended ${endedCount} ${endedCount === 1 ? 'session' : 'sessions'}.`;
    stdout.write(`${json ? compactJson(ended) : shown}\n`);
    return;
  }
  if (!yes) await confirm(context, `End session ${id}?`);
  const { ended, wasLive } = await withFlagNames(flags, async () => {
    // Ending a session again is not an error, so the response does not tell.
    const { sessions } = await keyfront.auth.listSessions({ signal });
    const wasLive = sessions.some((session) => session.id === id.toLowerCase());
    return { ended: await keyfront.auth.endSession(id, { signal }), wasLive };
  });
  const shown = wasLive ? `Ended session ${id}.` : `Session ${id} has ended before, at ${ended.expiresAt}.`;
  stdout.write(`${json ? compactJson(ended) : shown}\n`);
}
