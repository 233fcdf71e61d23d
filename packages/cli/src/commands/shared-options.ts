import { type Command, Option } from 'commander';
import { completeWith } from '../completion/completers.ts';
import type { Context } from '../context.ts';
import type { ConnectionOptions } from '../create-client.ts';
import { profileFile, profileName, readProfiles } from '../credentials/profiles.ts';
import { styleFor } from '../terminal/style.ts';

/** The option of every command that uses a profile. */
export type ProfileOption = Pick<ConnectionOptions, 'profile'>;

/** Adds `--profile`. */
export function withProfile(command: Command, context: Context): Command {
  return command.addOption(createProfileOption(context));
}

/** Adds the options of commands that send requests: `--profile` and `--verbose`. */
export function withConnection(command: Command, context: Context): Command {
  return withProfile(command, context).addOption(createVerboseOption());
}

/**
 * Lets the options of `withConnection` stand before a subcommand too, as in `keyfront --profile admin get /planets`. They
 * have no default here: what the subcommand itself was given wins, then the nearest group.
 */
export function withConnectionBeforeCommand(group: Command, context: Context): Command {
  return group
    .enablePositionalOptions()
    .addOption(createProfileOption(context))
    .addOption(createVerboseOption())
    .hook('preAction', (_group, command) => {
      for (const [name, value] of Object.entries(group.opts())) {
        const option = command.options.find((each) => each.attributeName() === name);
        if (!option) command.error(`error: unknown option '--${name}'`);
        else if (command.getOptionValueSource(name) !== 'cli') {
          // Not 'cli': the hook of a nearer group runs later and replaces the value.
          command.setOptionValueWithSource(name, value, 'implied');
        }
      }
    });
}

function createProfileOption(context: Context): Option {
  const option = new Option(
    '--profile <name>',
    `profile to use, whatever else the environment sets (default: "${profileName(context, undefined)}")`,
  );
  completeWith(option, async () => {
    const profiles = await readProfiles(profileFile(context));
    return [...profiles].map(([value, { url }]) => ({ value, description: url }));
  });
  return option;
}

function createVerboseOption(): Option {
  return new Option('-v, --verbose', 'print requests and responses on stderr, without secrets');
}

/** Adds `--json`. */
export function withJson(command: Command): Command {
  return command.option('--json', 'print JSON on one line');
}

/** Adds `--yes`, for commands that ask for confirmation on a terminal. */
export function withConfirmation(command: Command): Command {
  return command.option('-y, --yes', 'do not ask for confirmation');
}

/** Adds `--idempotency-key`, for commands that must not run twice. */
export function withIdempotencyKey(command: Command): Command {
  return command.option(
    '--idempotency-key <key>',
    'repeat a request safely: the same key is processed only once',
  );
}

/** Sets the help of a command: a summary, which the list of commands shows too, and details. */
export function withDescription(command: Command, summary: string, details?: string): Command {
  return command
    .summary(summary)
    .description(details === undefined ? `${summary}.` : `${summary}.\n\n${details}`);
}

/** Adds examples at the end of a command's help. */
export function withExamples(command: Command, { env, stdout }: Context, ...examples: string[]): Command {
  const { bold } = styleFor(stdout, env);
  return command.addHelpText(
    'after',
    `\n${bold('Examples:')}\n${examples.map((line) => `  ${line}`).join('\n')}`,
  );
}

/** Collects the values of an option that may be repeated. */
export function collect(value: string, previous: readonly string[] = []): string[] {
  return [...previous, value];
}
