import { randomUUID } from 'node:crypto';
import { mkdir, open, readFile, rename, rm } from 'node:fs/promises';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import type { Cli } from '../cli.ts';
import { Failure } from '../failure.ts';
import { isRecord } from '../json.ts';

/** Signs each request. */
export interface KeyProfile {
  readonly url: string;
  readonly apiKey: string;
  readonly secretKey: string;
}

/** Carries what a wallet got when it signed in. */
export interface TokenProfile {
  readonly url: string;
  readonly token: string;
}

export type Profile = KeyProfile | TokenProfile;
export type Profiles = ReadonlyMap<string, Profile>;

export const defaultProfile = 'default';

/** Where profiles are kept. */
export function profileFile({ env }: Pick<Cli, 'env'>): string {
  if (env.KEYFRONT_CONFIG) return env.KEYFRONT_CONFIG;
  return join(env.XDG_CONFIG_HOME || join(env.HOME || homedir(), '.config'), 'keyfront', 'profiles.json');
}

/** All profiles; none where there is no file yet. */
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

/** Replaces all profiles, all of them or none, in a file that only this user may read. */
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

/** Whether a profile signs its requests, and does not carry a token. */
export function isKeyProfile(profile: Profile): profile is KeyProfile {
  return 'secretKey' in profile;
}

function parseProfiles(text: string, file: string): Profiles {
  const unusable = () =>
    new Failure(`${file} does not hold profiles: correct it, or remove it and log in again`);
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
