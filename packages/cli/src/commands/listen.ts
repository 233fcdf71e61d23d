import type { KeyfrontEvent } from '@keyfront/sdk';
import { type Command, Option } from 'commander';
import { usageError } from '../cli-error.ts';
import type { Context } from '../context.ts';
import { type ConnectionOptions, clientOptions, createClient } from '../create-client.ts';
import { getCredentials } from '../credentials/get-credentials.ts';
import { forwardEvent } from '../events/forward-event.ts';
import { type ListenState, listenFile, readListenState, writeListenState } from '../events/listen-state.ts';
import { readSince } from '../events/read-since.ts';
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
    .option('--events <types>', 'only these types, such as order.*,payment.paid')
    .option('--forward-to <url>', 'send each event there, signed like a webhook')
    .addOption(new Option('--since <duration>', 'begin with the events of this time, such as 30m, 1h or 2d'))
    .action((options: ListenOptions) => listen(context, options));
  withDescription(
    command,
    'Print events as they happen, and forward them',
    'Continues after the last event that was handled before, in this profile. The service and the receiver may be restarted ' +
      'meanwhile: nothing is missed. Ends with Ctrl+C.',
  );
  withJson(command);
  withConnection(command, context);
  withExamples(
    command,
    context,
    'keyfront listen --events order.*',
    'keyfront listen --forward-to http://localhost:4000/hook --since 1h',
  );
}

async function listen(context: Context, options: ListenOptions): Promise<void> {
  const { events: type, forwardTo, since } = options;
  const { stdout, stderr, env, signal } = context;
  if (forwardTo !== undefined && !/^https?:\/\//.test(forwardTo))
    throw usageError('--forward-to must be an http or https URL');
  const begin = since === undefined ? undefined : readSince(since, context.now());
  const credentials = await getCredentials(context, options);
  const keyfront = createClient(context, credentials, clientOptions(context, options));
  const file = listenFile(context, options.profile);
  let state = await readListenState(file, credentials.url);
  const { dim, green, red } = styleFor(stdout, env);
  const note = (text: string) => stderr.write(`${styleFor(stderr, env).dim(text)}\n`);
  if (forwardTo !== undefined) note(`Forwarding to ${forwardTo}, signed with ${state.secret}`);

  const remember = (next: ListenState): Promise<void> => {
    state = next;
    return writeListenState(file, state);
  };
  const handle = async (event: KeyfrontEvent): Promise<void> => {
    const startedAt = performance.now();
    const status =
      forwardTo === undefined
        ? null
        : await forwardEvent(context, event, {
            url: forwardTo,
            secret: state.secret,
            onUnreachable: () => note(`${forwardTo} cannot be reached: waiting`),
          });
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
    let after = begin ? null : state.lastEventId;
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
    note(after === null ? 'Waiting for events' : 'Waiting for events after the last one');
    const query = { ...(type && { type }), ...(after && { after }) };
    // Also before the first event: whoever starts again gets what happens meanwhile.
    const onPosition = (lastEventId: string) => remember({ ...state, lastEventId });
    for await (const event of keyfront.events.stream(query, { signal, onPosition })) await handle(event);
  });
}
