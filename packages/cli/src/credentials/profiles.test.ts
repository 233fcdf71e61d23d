import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Profile, profileFile, readProfiles, writeProfiles } from './profiles.ts';

let folder: string;
let file: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'keyfront-profiles-'));
  file = join(folder, 'inner', 'profiles.json');
});
afterEach(() => rmSync(folder, { recursive: true }));

const key: Profile = { url: 'https://one.example', apiKey: 'public', secretKey: 'secret' };
const token: Profile = { url: 'https://two.example', token: 'jwt' };

describe('the profile file', () => {
  it('may be missing', async () => {
    expect(await readProfiles(file)).toEqual(new Map());
  });

  it('keeps profiles with any name', async () => {
    const profiles = new Map<string, Profile>([
      ['default', key],
      ['__proto__', token],
      ['', key],
    ]);
    await writeProfiles(file, profiles);
    expect(await readProfiles(file)).toEqual(profiles);
  });

  it('is readable only by its owner, even if it was not before', async () => {
    mkdirSync(dirname(file), { mode: 0o700 });
    writeFileSync(file, '{"profiles":{}}');
    chmodSync(file, 0o644);
    await writeProfiles(file, new Map([['default', key]]));
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(readdirSync(dirname(file))).toEqual(['profiles.json']);
  });

  it('is in a folder that only its owner can read', async () => {
    await writeProfiles(file, new Map());
    expect(statSync(dirname(file)).mode & 0o777).toBe(0o700);
  });

  it.each([
    '',
    'no JSON',
    '[]',
    '{"profiles":[]}',
    '{"profiles":{"a":{"url":1}}}',
    '{"profiles":{"a":{"url":"x"}}}',
  ])('is left unchanged if it is not valid: %s', async (text) => {
    mkdirSync(dirname(file));
    writeFileSync(file, text);
    await expect(readProfiles(file)).rejects.toThrow(/is not a valid profile file. Repair it/);
    expect(readFileSync(file, 'utf8')).toBe(text);
  });

  it.each([
    [{ KEYFRONT_CONFIG: '/a/b.json', XDG_CONFIG_HOME: '/x', HOME: '/h' }, '/a/b.json'],
    [{ XDG_CONFIG_HOME: '/x', HOME: '/h' }, '/x/keyfront/profiles.json'],
    [{ HOME: '/h' }, '/h/.config/keyfront/profiles.json'],
    [{ KEYFRONT_CONFIG: '', XDG_CONFIG_HOME: '', HOME: '/h' }, '/h/.config/keyfront/profiles.json'],
  ])('has a path that the environment can change: %j', (env, expected) => {
    expect(profileFile({ env })).toBe(expected);
  });
});
