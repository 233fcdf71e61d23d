import { usageError } from '../cli-error.ts';
import type { Context } from '../context.ts';
import { apiKeyOf, readSecretKey } from './key-pair.ts';
import { type Profile, profileFile, readProfiles } from './profiles.ts';

/** A service URL with either a key pair or a token. */
export type Credentials = Profile;

export interface CredentialOptions {
  readonly profile: string;
  /** Which credential to use if the environment has both. Some operations accept tokens only. */
  readonly prefers?: 'key' | 'token';
}

/** Reads credentials from the environment, and from the profile what the environment does not set. */
export async function getCredentials(context: Context, options: CredentialOptions): Promise<Credentials> {
  const fromEnvironment = readEnvironment(context.env, options.prefers ?? 'key');
  const { KEYFRONT_URL: url } = context.env;
  if (fromEnvironment && url) return { url, ...fromEnvironment };
  const profiles = await readProfiles(profileFile(context));
  const profile = profiles.get(options.profile);
  if (!profile) throw usageError(explainMissing(options.profile, [...profiles.keys()], fromEnvironment));
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
