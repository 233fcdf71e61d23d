import type { Command } from 'commander';
import type { Cli } from '../cli.ts';
import { isKeyProfile, type Profile, profileFile, readProfiles } from '../settings/profiles.ts';
import { readTokenClaims } from '../settings/token-claims.ts';
import { formatTable } from '../terminal/table.ts';

/** `keyfront profiles`: what there is, without a secret. */
export function addProfiles(program: Command, cli: Cli): void {
  program
    .command('profiles')
    .description('list the profiles')
    .action(async () => {
      const profiles = [...(await readProfiles(profileFile(cli)))];
      const rows = profiles.map(([name, profile]) => [name, profile.url, describeCredential(profile)]);
      cli.output.write(formatTable(['PROFILE', 'ADDRESS', 'CREDENTIAL'], rows));
    });
}

function describeCredential(profile: Profile): string {
  if (isKeyProfile(profile)) return 'API key';
  const claims = readTokenClaims(profile.token);
  if (claims === null) return 'token';
  const { walletAddress, isAdministrator, expiresAt } = claims;
  const role = isAdministrator ? 'administrator' : 'wallet';
  return `${role} ${walletAddress} until ${expiresAt.toISOString()}`;
}
