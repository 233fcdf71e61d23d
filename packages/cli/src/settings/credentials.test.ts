import { describe, expect, it } from 'vitest';
import { makePair, openWorld } from '../../test/world.ts';
import { getCredentials } from './credentials.ts';
import { type Profile, profileFile, writeProfiles } from './profiles.ts';

const pair = makePair();
const other = makePair();
const kept: Profile = { url: 'https://kept.example', ...other };
const url = 'https://environment.example';

async function read(env: Record<string, string>, profile?: Profile, prefers?: 'key' | 'token') {
  const { cli } = openWorld({ env });
  if (profile) await writeProfiles(profileFile(cli), new Map([['default', profile]]));
  return getCredentials(cli, { profile: 'default', ...(prefers ? { prefers } : {}) });
}
const ofKey = { KEYFRONT_API_KEY: pair.apiKey, KEYFRONT_SECRET_KEY: pair.secretKey };

describe('credentials', () => {
  it('come from the profile where the environment has none', async () => {
    expect(await read({}, kept)).toEqual(kept);
  });

  it('come from the environment first, each by itself', async () => {
    expect(await read({ KEYFRONT_URL: url }, kept)).toEqual({ url, ...other });
    expect(await read(ofKey, kept)).toEqual({ url: kept.url, ...pair });
    expect(await read({ KEYFRONT_URL: url, ...ofKey }, kept)).toEqual({ url, ...pair });
    expect(await read({ KEYFRONT_URL: url, KEYFRONT_TOKEN: 'jwt' }, kept)).toEqual({ url, token: 'jwt' });
  });

  it('need no profile where the environment has all', async () => {
    expect(await read({ KEYFRONT_URL: url, ...ofKey })).toEqual({ url, ...pair });
  });

  it('hold the API key of the secret where only that is set', async () => {
    expect(await read({ KEYFRONT_URL: url, KEYFRONT_SECRET_KEY: pair.secretKey })).toEqual({ url, ...pair });
  });

  it('are those that the command prefers where the environment has both', async () => {
    const both = { KEYFRONT_URL: url, KEYFRONT_TOKEN: 'jwt', ...ofKey };
    expect(await read(both)).toEqual({ url, ...pair });
    expect(await read(both, undefined, 'token')).toEqual({ url, token: 'jwt' });
  });

  it('replace those of the profile as a whole, never a half of them', async () => {
    expect(await read({ KEYFRONT_TOKEN: 'jwt' }, kept)).toEqual({ url: kept.url, token: 'jwt' });
    const ofToken: Profile = { url: kept.url, token: 'kept' };
    expect(await read(ofKey, ofToken)).toEqual({ url: kept.url, ...pair });
  });

  it.each([
    [{}, 'There is no profile "default": make it with `keyfront login --profile default`'],
    [ofKey, 'There is no address to ask: set KEYFRONT_URL'],
    [
      { KEYFRONT_URL: url, KEYFRONT_API_KEY: pair.apiKey },
      'KEYFRONT_SECRET_KEY is not: set both, or neither',
    ],
  ])('are asked for in a sentence where they are missing', async (env, sentence) => {
    await expect(read(env)).rejects.toThrow(sentence);
  });
});
