import type { Command } from 'commander';
import { runAllChecks } from '../connection-checks/run-checks.ts';
import type { Context } from '../context.ts';
import { type ConnectionOptions, clientOptions } from '../create-client.ts';
import { getCredentials } from '../credentials/get-credentials.ts';
import { styleFor } from '../terminal/style.ts';
import { withConnection, withDescription, withExamples } from './shared-options.ts';

/** `keyfront doctor`: finds out why requests fail. */
export function addDoctor(program: Command, context: Context): void {
  const command = program
    .command('doctor')
    .action((options: ConnectionOptions) => runDoctor(context, options));
  withDescription(
    command,
    'Find out why requests fail',
    'Checks the key pair, the service URL, the clock, a signed GET and a signed POST, in this order. ' +
      'The first failed check is the cause. No check changes any data.',
  );
  withConnection(command, context);
  withExamples(command, context, 'keyfront doctor', 'keyfront doctor --profile admin --verbose');
}

async function runDoctor(context: Context, options: ConnectionOptions): Promise<void> {
  const { green, yellow } = styleFor(context.stdout, context.env);
  const credentials = await getCredentials(context, options);
  let warningCount = 0;
  for await (const { isWarning, message } of runAllChecks(
    context,
    credentials,
    clientOptions(context, options),
  )) {
    if (isWarning) warningCount++;
    context.stdout.write(`${isWarning ? yellow('warn') : green('ok  ')} ${message}\n`);
  }
  context.stdout.write(`${describeOutcome(warningCount)}\n`);
}

function describeOutcome(warningCount: number): string {
  if (warningCount === 0) return 'No problems found.';
  return `No errors found, but ${warningCount} ${warningCount === 1 ? 'warning' : 'warnings'}.`;
}
