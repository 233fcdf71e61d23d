import { usageError } from '../cli-error.ts';
import type { Context } from '../context.ts';
import { apiKeyOf, readSecretKey } from './key-pair.ts';
import { type Profile, profileFile, profileName, readProfiles } from './profiles.ts';

/** A service URL with either a key pair or a token. */
export type Credentials = Profile;

export interface CredentialOptions {
  /** The value of `--profile`. Left out: the environment counts. */
  readonly profile?: string;
  /** Which credential to use if the environment has both. Some operations accept tokens only. */
  readonly prefers?: 'key' | 'token';
}

/**
 * Reads credentials from the environment, and from the profile what the environment does not set. A profile that the command line names
 * is used as it is: its user has chosen it for this command.
 */
export async function getCredentials(context: Context, options: CredentialOptions): Promise<Credentials> {
  const env = options.profile === undefined ? context.env : {};
  const fromEnvironment = readEnvironment(env, options.prefers ?? 'key');
  const { KEYFRONT_URL: url } = env;
  if (fromEnvironment && url) return { url, ...fromEnvironment };
  const profiles = await readProfiles(profileFile(context));
  const name = profileName(context, options.profile);
  const profile = profiles.get(name);
  if (!profile) throw usageError(explainMissing(name, [...profiles.keys()], fromEnvironment));
  // A credential is replaced as a whole: half of a key pair is useless with the other half of another pair.
  return { ...(fromEnvironment ?? profile), url: url || profile.url };
}

type WithoutUrl<Type> = Type extends unknown ? Omit<Type, 'url'> : never;
type EnvironmentCredential = WithoutUrl<Profile>;

function readEnvironment(env: Context['env'], prefers: 'key' | 'token'): EnvironmentCredential | null {
  const { KEYFRONT_API_KEY: apiKey, KEYFRONT_SECRET_KEY: secretKey, KEYFRONT_TOKEN: token } = env;
  if (token && (prefers === 'token' || !secretKey)) return { token };
  if (secretKey) return { apiKey: apiKey || apiKeyOf(readSecretKey(secretKey)), secretKey };
  if (apiKey)
    throw usageError('KEYFRONT_API_KEY is set but KEYFRONT_SECRET_KEY is not. Set both or neither.');
  return null;
}

function explainMissing(
  profile: string,
  existing: readonly string[],
  fromEnvironment: EnvironmentCredential | null,
): string {
  if (fromEnvironment) return 'No service URL. Set KEYFRONT_URL, or save one with `keyfront login`.';
  if (existing.length === 0) return 'Not logged in. Run `keyfront login` first.';
  return (
    `Profile "${profile}" does not exist. Create it with \`keyfront login --profile ${profile}\`, ` +
    `or use one of: ${existing.join(', ')}.`
  );
}
