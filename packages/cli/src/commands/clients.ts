import type { Command } from 'commander';
import type { Context } from '../context.ts';
import { type ConnectionOptions, openClient } from '../create-client.ts';
import { withFlagNames } from '../flag-names.ts';
import { compactJson } from '../terminal/pretty-json.ts';
import { withConnection, withDescription, withExamples, withJson } from './shared-options.ts';

interface LinkOptions extends ConnectionOptions {
  readonly json?: true;
}

/** `keyfront clients`: identity checks of clients. */
export function addClients(program: Command, context: Context): void {
  const clients = program.command('clients');
  withDescription(clients, 'Create identity check links for clients');
  const command = clients
    .command('kyc-link')
    .argument('<client-id>', 'id of the client')
    .action((clientId: string, options: LinkOptions) => createKycLink(context, clientId, options));
  withDescription(
    command,
    'Create a new identity check link for a client',
    'Prints the link. The earlier link of the client is no longer valid.',
  );
  withJson(command);
  withConnection(command, context);
  const example = 'keyfront clients kyc-link 019a8f3e-7c00-7000-8000-000000000201';
  withExamples(clients, context, example);
  withExamples(command, context, example);
}

async function createKycLink(context: Context, clientId: string, options: LinkOptions): Promise<void> {
  const keyfront = await openClient(context, options);
  const link = await withFlagNames({ clientId: '<client-id>' }, () =>
    keyfront.clients.createKycLink(clientId, { signal: context.signal }),
  );
  context.stdout.write(`${options.json ? compactJson(link) : link.kycLink}\n`);
}
