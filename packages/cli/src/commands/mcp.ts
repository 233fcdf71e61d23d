import { PassThrough } from 'node:stream';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Command } from 'commander';
import { CliError, type ExitCode, exitCodes, usageError } from '../cli-error.ts';
import type { Context } from '../context.ts';
import { type ConnectionOptions, openClient } from '../create-client.ts';
import { readVersion } from '../program.ts';
import { withConnection, withDescription, withExamples } from './shared-options.ts';

interface McpOptions extends ConnectionOptions {
  readonly write?: true;
  readonly unconfirmed?: true;
  readonly tools?: string;
}

/** `keyfront mcp`: lets an agent on this machine use the service with the key of a profile. */
export function addMcp(program: Command, context: Context): void {
  const command = program
    .command('mcp')
    .option('--write', 'offer tools that change something. The agent asks you before each change')
    .option('--unconfirmed', 'with --write: do not ask, because your client asks before it calls a tool')
    .option('--tools <groups>', 'offer only these groups of tools, such as orders,clients')
    .action((options: McpOptions) => serveAgent(context, options));
  withDescription(
    command,
    'Serve the tools of Keyfront to an agent, over standard input and output',
    'The client of the agent starts this command: see the guide for agents. It speaks the Model Context Protocol, and signs ' +
      'each call with the key of the profile. It only reads, unless you allow more.',
  );
  withConnection(command, context);
  withExamples(command, context, 'keyfront mcp', 'keyfront mcp --write --tools orders,clients,strains');
}

async function serveAgent(context: Context, options: McpOptions): Promise<void> {
  if (options.unconfirmed && !options.write) throw usageError('--unconfirmed needs --write');
  const keyfront = await openClient(context, options);
  // Loaded on demand: no other command needs the protocol.
  const { createMessageSender, ServiceRefusal } = await import('../mcp/service-messages.ts');
  const { createBridge } = await import('../mcp/create-bridge.ts');
  const { ProtocolError } = await import('@modelcontextprotocol/server');
  const { serveStdio, StdioServerTransport } = await import('@modelcontextprotocol/server/stdio');
  const version = readVersion();
  const send = createMessageSender(keyfront, context.fetch, { path: pathFor(options), version });
  // Before the client asks anything: a key that is not accepted should be noticed when the agent is set up.
  const discovered = await send({
    method: 'server/discover',
    capabilities: {},
    signal: context.signal,
  }).catch((error: unknown) => {
    if (error instanceof ServiceRefusal) throw new CliError(error.message, exitCodeOf(error.status));
    // The service has read the address, and refused one of its options.
    if (error instanceof ProtocolError) throw usageError(error.message);
    throw error;
  });
  const instructions = String(discovered.instructions ?? '');
  // The transport would end with its input, and drop what is not answered yet.
  const input = new PassThrough();
  context.stdin.pipe(input, { end: false });
  const transport = new StdioServerTransport(input, context.stdout);
  await new Promise<void>((resolve) => {
    const pending = new Set<Promise<unknown>>();
    const sendPending: typeof send = (message) => {
      const response = send(message);
      pending.add(response);
      response.finally(() => pending.delete(response)).catch(() => undefined);
      return response;
    };
    const handle = serveStdio(() => createBridge(sendPending, { version, instructions }), {
      transport,
      onerror: ({ message }) => context.stderr.write(`${message}\n`),
    });
    const end = () => void handle.close().then(resolve, resolve);
    // What was asked before the end of the input is still answered, as for a script that pipes its messages.
    const endAfterResponses = async () => {
      do {
        await Promise.allSettled(pending);
        // A message that was read just now becomes a request, and a response is written, in the next turn.
        await nextTurn();
      } while (pending.size > 0);
      end();
    };
    context.stdin.once('end', () => void endAfterResponses());
    context.signal.addEventListener('abort', end, { once: true });
  });
}

function exitCodeOf(status: number): ExitCode {
  if (status === 401) return exitCodes.authentication;
  return status === 0 || status === 429 || status >= 500 ? exitCodes.unavailable : exitCodes.rejected;
}

function pathFor({ write, unconfirmed, tools }: McpOptions): string {
  const allowed = unconfirmed ? 'unconfirmed' : 'confirmed';
  const query = new URLSearchParams({ changes: write ? allowed : 'none', ...(tools && { tools }) });
  return `/mcp?${query}`;
}
