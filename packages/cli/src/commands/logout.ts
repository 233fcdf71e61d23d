import type { Command } from 'commander';
import type { Cli } from '../cli.ts';
import { misuse } from '../failure.ts';
import { profileFile, readProfiles, writeProfiles } from '../settings/profiles.ts';
import { type ProfileOption, withProfile } from './options.ts';

/** `keyfront logout`: forgets a profile. */
export function addLogout(program: Command, cli: Cli): void {
  const command = program
    .command('logout')
    .description('forget the credentials of a profile')
    .option('--all', 'forget all profiles')
    .action((options: ProfileOption & { readonly all?: true }) => logout(cli, options));
  withProfile(command);
}

async function logout(cli: Cli, { profile, all }: ProfileOption & { readonly all?: true }): Promise<void> {
  const file = profileFile(cli);
  const profiles = new Map(await readProfiles(file));
  if (all) profiles.clear();
  else if (!profiles.delete(profile)) throw misuse(`There is no profile "${profile}"`);
  await writeProfiles(file, profiles);
  cli.output.write(all ? 'All profiles are forgotten\n' : `Profile "${profile}" is forgotten\n`);
}
