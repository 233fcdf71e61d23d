import { type KeyfrontEvent, NotFoundError } from '@keyfront/sdk';
import type { Command } from 'commander';
import { CliError, exitCodes, usageError } from '../cli-error.ts';
import type { Context } from '../context.ts';
import { type ConnectionOptions, clientOptions, createClient } from '../create-client.ts';
import { getCredentials } from '../credentials/get-credentials.ts';
import { profileName } from '../credentials/profiles.ts';
import { forwardEvent } from '../events/forward-event.ts';
import { type ListenState, listenFile, readListenState, writeListenState } from '../events/listen-state.ts';
import { readSince, sinceForms } from '../events/read-since.ts';
import { walkEvents } from '../events/walk-events.ts';
import { withFlagNames } from '../flag-names.ts';
import { compactJson } from '../terminal/pretty-json.ts';
import { styleFor, toPlainText } from '../terminal/style.ts';
import { withConnection, withDescription, withExamples, withJson } from './shared-options.ts';

interface ListenOptions extends ConnectionOptions {
  readonly events?: string;
  readonly forwardTo?: string;
  readonly since?: string;
  readonly json?: true;
}

/** `keyfront listen`: prints events as they come, and forwards them to a receiver on this machine. */
export function addListen(program: Command, context: Context): void {
  const command = program
    .command('listen')
    .option('--events <types>', "only these types, such as 'order.*,payment.paid'")
    .option('--forward-to <url>', 'send each event there, signed like a webhook')
    .option('--since <time>', `begin there instead of after the last event: now, ${sinceForms}`)
    .action((options: ListenOptions) => listen(context, options));
  withDescription(
    command,
    'Print events as they happen, and forward them',
    'Continues after the last event that was handled before, in this profile. The service and the receiver may be restarted ' +
      'meanwhile: nothing is missed. With --since, it begins elsewhere. Ends with Ctrl+C.',
  );
  withJson(command);
  withConnection(command, context);
  withExamples(
    command,
    context,
    "keyfront listen --events 'order.*'",
    'keyfront listen --forward-to http://localhost:4000/hook --since 1h',
  );
}

async function listen(context: Context, options: ListenOptions): Promise<void> {
  const { events: type, forwardTo, since } = options;
  const { stdout, stderr, env, signal } = context;
  if (forwardTo !== undefined && !/^https?:\/\//.test(forwardTo))
    throw usageError('--forward-to must be an http or https URL');
  const begin = since === undefined || since === 'now' ? undefined : readSince(since, context.now());
  const credentials = await getCredentials(context, options);
  const keyfront = createClient(context, credentials, clientOptions(context, options));
  const file = listenFile(context, profileName(context, options.profile));
  const { dim, green, red } = styleFor(stdout, env);
  const note = (text: string) => stderr.write(`${styleFor(stderr, env).dim(text)}\n`);
  let state = await readListenState(file, credentials.url, (reason) =>
    note(`${file} cannot be read: ${reason}. Beginning with new events, and with a new secret`),
  );
  if (forwardTo !== undefined) note(`Forwarding to ${forwardTo}, signed with ${state.secret}`);

  const remember = (next: ListenState): Promise<void> => {
    state = next;
    return writeListenState(file, state);
  };
  let isReachable = true;
  const noteReachable = (isReachableNow: boolean): void => {
    if (isReachable !== isReachableNow)
      note(`${forwardTo} ${isReachableNow ? 'can be reached again' : 'cannot be reached: waiting'}`);
    isReachable = isReachableNow;
  };
  const handle = async (event: KeyfrontEvent): Promise<void> => {
    const startedAt = performance.now();
    const status =
      forwardTo === undefined
        ? null
        : await forwardEvent(context, event, {
            url: forwardTo,
            secret: state.secret,
            onUnreachable: () => noteReachable(false),
          });
    noteReachable(true);
    if (options.json) stdout.write(`${compactJson(event)}\n`);
    else {
      const isAccepted = status !== null && status >= 200 && status < 300;
      const result =
        status === 0 ? 'no response' : `${status} in ${Math.round(performance.now() - startedAt)} ms`;
      const forwarded = status === null ? '' : `  ${isAccepted ? green(result) : red(result)}`;
      const { createdAt, id } = event;
      stdout.write(`${dim(createdAt)}  ${toPlainText(event.type).padEnd(20)}  ${dim(id)}${forwarded}\n`);
    }
    // After it was handled: whatever ends this process, the next one begins with the first event that was not.
    await remember({ ...state, lastEventId: event.id });
  };

  await withFlagNames({ type: '--events' }, async () => {
    let after = since === undefined ? state.lastEventId : null;
    if (begin) {
      const past = walkEvents(keyfront, { ...(type && { type }), since: begin, signal });
      for (let next = await past.next(); ; next = await past.next()) {
        if (next.done) {
          after = next.value;
          break;
        }
        await handle(next.value);
      }
    }
    const which = type === undefined ? 'events' : `events of ${type}`;
    const begins = after === null ? '' : ' after the last one';
    note(`Waiting for ${which}${begins} at ${keyfront.baseUrl}. Ctrl+C ends it`);
    const query = { ...(type && { type }), ...(after && { after }) };
    // Also before the first event: whoever starts again gets what happens meanwhile.
    const onPosition = (lastEventId: string) => remember({ ...state, lastEventId });
    try {
      for await (const event of keyfront.events.stream(query, { signal, onPosition })) await handle(event);
    } catch (error) {
      throw explainPosition(error) ?? error;
    }
  });
}

const positionProblems: Readonly<Record<string, string>> = {
  EVENTS_EXPIRED: 'The events after the last one are no longer kept',
  EVENT_POSITION_UNKNOWN:
    'The service does not know the last event: its database was created anew or restored',
};

/** Why the service cannot continue after the last event, and how to begin elsewhere. Null for any other error. */
function explainPosition(error: unknown): CliError | null {
  const problem = error instanceof NotFoundError ? positionProblems[error.code ?? ''] : undefined;
  if (problem === undefined) return null;
  return new CliError(
    `${problem}. Begin with new events (--since now), or with those of some time, such as --since 1d.`,
    exitCodes.rejected,
    { cause: error },
  );
}
