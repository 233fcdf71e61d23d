import type { Command } from 'commander';
import type { Context } from '../context.ts';
import { isKeyProfile, type Profile, profileFile, readProfiles } from '../credentials/profiles.ts';
import { readTokenClaims } from '../credentials/token-claims.ts';
import { compactJson } from '../terminal/pretty-json.ts';
import { type Column, formatTable } from '../terminal/table.ts';
import { withDescription, withExamples, withJson } from './shared-options.ts';

interface ProfileSummary {
  readonly name: string;
  readonly url: string;
  readonly credential: 'api-key' | 'wallet' | 'administrator' | 'token';
  /** Null for an API key. */
  readonly walletAddress: string | null;
  readonly expiresAt: string | null;
}

const columns: readonly Column<ProfileSummary>[] = [
  { title: 'PROFILE', cell: ({ name }) => name, minWidth: 12 },
  { title: 'URL', cell: ({ url }) => url, minWidth: 28 },
  { title: 'CREDENTIAL', cell: ({ credential }) => credential },
  {
    title: 'WALLET',
    cell: ({ walletAddress }) => walletAddress ?? '-',
    shortCell: ({ walletAddress }) =>
      walletAddress === null ? '-' : `${walletAddress.slice(0, 6)}…${walletAddress.slice(-4)}`,
    leaveOutRank: 2,
  },
  {
    title: 'EXPIRES',
    cell: ({ expiresAt }) => expiresAt ?? '-',
    shortCell: ({ expiresAt }) => expiresAt?.slice(0, 16) ?? '-',
    leaveOutRank: 1,
  },
];

/** `keyfront profiles`: lists the profiles without their secrets. */
export function addProfiles(program: Command, context: Context): void {
  const command = program
    .command('profiles')
    .action((options: { readonly json?: true }) => listProfiles(context, options.json === true));
  withDescription(command, 'List the profiles, without their secrets');
  withJson(command);
  withExamples(command, context, 'keyfront profiles', "keyfront profiles --json | jq -r '.[].name'");
}

async function listProfiles(context: Context, isJson: boolean): Promise<void> {
  const { stdout, stderr } = context;
  const profiles = [...(await readProfiles(profileFile(context)))].map(summarize);
  if (isJson) stdout.write(`${compactJson(profiles)}\n`);
  else if (profiles.length > 0) stdout.write(formatTable(columns, profiles, stdout));
  else stderr.write('No profiles. Create one with `keyfront login`.\n');
}

function summarize([name, profile]: readonly [string, Profile]): ProfileSummary {
  const { url } = profile;
  if (isKeyProfile(profile))
    return { name, url, credential: 'api-key', walletAddress: null, expiresAt: null };
  const claims = readTokenClaims(profile.token);
  if (claims === null) return { name, url, credential: 'token', walletAddress: null, expiresAt: null };
  const { walletAddress, isAdministrator, expiresAt } = claims;
  return {
    name,
    url,
    credential: isAdministrator ? 'administrator' : 'wallet',
    walletAddress,
    expiresAt: expiresAt.toISOString(),
  };
}
