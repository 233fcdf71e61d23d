import { AuthenticationError } from '@keyfront/sdk';
import type { Command } from 'commander';
import { usageError } from '../cli-error.ts';
import type { Context } from '../context.ts';
import { createClient } from '../create-client.ts';
import {
  isKeyProfile,
  type Profile,
  profileFile,
  profileName,
  readProfiles,
  writeProfiles,
} from '../credentials/profiles.ts';
import { type ProfileOption, withDescription, withExamples, withProfile } from './shared-options.ts';

interface LogoutOptions extends ProfileOption {
  readonly all?: true;
}

/** `keyfront logout`: ends the session of a token, and deletes its profile. */
export function addLogout(program: Command, context: Context): void {
  const command = program
    .command('logout')
    .option('--all', 'delete all profiles')
    .action((options: LogoutOptions) => logout(context, options));
  withDescription(
    command,
    'Delete the credentials of a profile',
    'A token is signed out first, so that nobody can use it any more. API keys stay valid: `keyfront keys revoke` revokes one.',
  );
  withProfile(command, context);
  withExamples(
    command,
    context,
    'keyfront logout',
    'keyfront logout --profile admin',
    'keyfront logout --all',
  );
}

async function logout(context: Context, { profile: option, all }: LogoutOptions): Promise<void> {
  const file = profileFile(context);
  const profile = profileName(context, option);
  const profiles = new Map(await readProfiles(file));
  const ending = all ? [...profiles] : [...profiles].filter(([name]) => name === profile);
  if (!all && ending.length === 0) throw usageError(`Profile "${profile}" does not exist`);
  for (const [name, credentials] of ending) {
    await signOut(context, name, credentials);
    profiles.delete(name);
  }
  await writeProfiles(file, profiles);
  context.stdout.write(all ? 'Deleted all profiles.\n' : `Deleted profile "${profile}".\n`);
}

/** A profile is deleted even if the service cannot be reached, and a token that is no longer accepted needs no sign-out. */
async function signOut(context: Context, name: string, credentials: Profile): Promise<void> {
  if (isKeyProfile(credentials)) return;
  try {
    await createClient(context, credentials, { maxAttempts: 1, timeoutMs: 10_000 }).auth.signOut();
  } catch (error) {
    if (error instanceof AuthenticationError) return;
    context.signal.throwIfAborted();
    const reason = error instanceof Error ? error.message : String(error);
    context.stderr.write(
      `warning: The session of profile "${name}" was not ended, so its token stays valid: ${reason}\n`,
    );
  }
}
