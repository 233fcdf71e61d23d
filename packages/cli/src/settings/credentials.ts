import type { Cli } from '../cli.ts';
import { misuse } from '../failure.ts';
import { apiKeyOf, readSecretKey } from './key-pair.ts';
import { type Profile, profileFile, readProfiles } from './profiles.ts';

/** Who asks which service, and with what. */
export type Credentials = Profile;

export interface CredentialOptions {
  readonly profile: string;
  /** Where the environment has both, which to take: a few operations are for tokens only. */
  readonly prefers?: 'key' | 'token';
}

/** The credentials of the environment, and of the profile what the environment does not have. */
export async function getCredentials(cli: Cli, options: CredentialOptions): Promise<Credentials> {
  const fromEnvironment = readEnvironment(cli.env, options.prefers ?? 'key');
  const { KEYFRONT_URL: url } = cli.env;
  if (fromEnvironment && url) return { url, ...fromEnvironment };
  const profile = (await readProfiles(profileFile(cli))).get(options.profile);
  if (!profile) throw misuse(explainMissing(options.profile, fromEnvironment !== null));
  // As a whole: half of the one and half of the other would be nobody's.
  return { ...(fromEnvironment ?? profile), url: url || profile.url };
}

type WithoutUrl<Type> = Type extends unknown ? Omit<Type, 'url'> : never;

function readEnvironment(env: Cli['env'], prefers: 'key' | 'token'): WithoutUrl<Profile> | null {
  const { KEYFRONT_API_KEY: apiKey, KEYFRONT_SECRET_KEY: secretKey, KEYFRONT_TOKEN: token } = env;
  if (token && (prefers === 'token' || !secretKey)) return { token };
  if (secretKey) return { apiKey: apiKey || apiKeyOf(readSecretKey(secretKey)), secretKey };
  if (apiKey) throw misuse('KEYFRONT_API_KEY is set and KEYFRONT_SECRET_KEY is not: set both, or neither');
  return null;
}

function explainMissing(profile: string, hasCredential: boolean): string {
  if (hasCredential) return 'There is no address to ask: set KEYFRONT_URL';
  return `There is no profile "${profile}": make it with \`keyfront login --profile ${profile}\``;
}
