import type { Command } from 'commander';
import { usageError } from '../cli-error.ts';
import type { Context } from '../context.ts';
import { profileFile, readProfiles, writeProfiles } from '../credentials/profiles.ts';
import { type ProfileOption, withDescription, withExamples, withProfile } from './shared-options.ts';

interface LogoutOptions extends ProfileOption {
  readonly all?: true;
}

/** `keyfront logout`: deletes a profile. */
export function addLogout(program: Command, context: Context): void {
  const command = program
    .command('logout')
    .option('--all', 'delete all profiles')
    .action((options: LogoutOptions) => logout(context, options));
  withDescription(command, 'Delete the credentials of a profile');
  withProfile(command, context);
  withExamples(
    command,
    context,
    'keyfront logout',
    'keyfront logout --profile admin',
    'keyfront logout --all',
  );
}

async function logout(context: Context, { profile, all }: LogoutOptions): Promise<void> {
  const file = profileFile(context);
  const profiles = new Map(await readProfiles(file));
  if (all) profiles.clear();
  else if (!profiles.delete(profile)) throw usageError(`Profile "${profile}" does not exist`);
  await writeProfiles(file, profiles);
  context.stdout.write(all ? 'Deleted all profiles.\n' : `Deleted profile "${profile}".\n`);
}
