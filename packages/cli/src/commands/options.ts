import { type Command, Option } from 'commander';
import { defaultProfile } from '../settings/profiles.ts';

/** What every command that asks the service takes. */
export interface ProfileOption {
  readonly profile: string;
}

/** Adds `--profile`. */
export function withProfile(command: Command): Command {
  return command.addOption(
    new Option('--profile <name>', 'the profile to use').default(defaultProfile, defaultProfile),
  );
}

/** Adds examples at the end of a command's help. */
export function withExamples(command: Command, ...examples: string[]): Command {
  return command.addHelpText('after', `\nExamples:\n${examples.map((line) => `  ${line}\n`).join('')}`);
}
