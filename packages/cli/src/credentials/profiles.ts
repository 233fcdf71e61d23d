import { randomUUID } from 'node:crypto';
import { mkdir, open, readFile, rename, rm } from 'node:fs/promises';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { CliError } from '../cli-error.ts';
import type { Context } from '../context.ts';
import { isRecord } from '../is-record.ts';

/** Signs every request with an API key. */
export interface KeyProfile {
  readonly url: string;
  readonly apiKey: string;
  readonly secretKey: string;
}

/** Sends the token of a signed-in wallet. */
export interface TokenProfile {
  readonly url: string;
  readonly token: string;
}

export type Profile = KeyProfile | TokenProfile;
export type Profiles = ReadonlyMap<string, Profile>;

/** The profile to use: that of `--profile`, that of the environment, or `default`. */
export function profileName({ env }: Pick<Context, 'env'>, option: string | undefined): string {
  return option ?? (env.KEYFRONT_PROFILE || 'default');
}

/** The path of the profile file. */
export function profileFile({ env }: Pick<Context, 'env'>): string {
  if (env.KEYFRONT_CONFIG) return env.KEYFRONT_CONFIG;
  return join(env.XDG_CONFIG_HOME || join(env.HOME || homedir(), '.config'), 'keyfront', 'profiles.json');
}

/** Reads all profiles. A missing file means that there are none. */
export async function readProfiles(file: string): Promise<Profiles> {
  let text: string;
  try {
    text = await readFile(file, 'utf8');
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return new Map();
    throw error;
  }
  return parseProfiles(text, file);
}

/** Replaces the profile file atomically. Only the current user can read it. */
export async function writeProfiles(file: string, profiles: Profiles): Promise<void> {
  await mkdir(dirname(file), { recursive: true, mode: 0o700 });
  const draft = `${file}.${randomUUID()}`;
  try {
    const handle = await open(draft, 'wx', 0o600);
    try {
      const text = JSON.stringify({ profiles: Object.fromEntries(profiles) }, null, 2);
      await handle.writeFile(`${text}\n`);
    } finally {
      await handle.close();
    }
    await rename(draft, file);
  } catch (error) {
    await rm(draft, { force: true });
    throw error;
  }
}

/** Whether a profile holds an API key rather than a token. */
export function isKeyProfile(profile: Profile): profile is KeyProfile {
  return 'secretKey' in profile;
}

function parseProfiles(text: string, file: string): Profiles {
  const unusable = () =>
    new CliError(`${file} is not a valid profile file. Repair it, or delete it and log in again.`);
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw unusable();
  }
  if (!isRecord(value) || !isRecord(value.profiles)) throw unusable();
  const profiles = new Map<string, Profile>();
  for (const [name, each] of Object.entries(value.profiles)) {
    const profile = readProfile(each);
    if (profile === null) throw unusable();
    profiles.set(name, profile);
  }
  return profiles;
}

function readProfile(value: unknown): Profile | null {
  if (!isRecord(value) || typeof value.url !== 'string') return null;
  const { url, apiKey, secretKey, token } = value;
  if (typeof apiKey === 'string' && typeof secretKey === 'string') return { url, apiKey, secretKey };
  return typeof token === 'string' ? { url, token } : null;
}
