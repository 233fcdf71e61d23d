import { describe, expect, it } from 'vitest';
import { createHarness, makeKeyPair } from '../../test/cli-harness.ts';
import { getCredentials } from './get-credentials.ts';
import { type Profile, profileFile, writeProfiles } from './profiles.ts';

const pair = makeKeyPair();
const otherPair = makeKeyPair();
const saved: Profile = { url: 'https://saved.example', ...otherPair };
const url = 'https://environment.example';

async function read(env: Record<string, string>, profile?: Profile, prefers?: 'key' | 'token') {
  const { context } = createHarness({ env });
  if (profile) await writeProfiles(profileFile(context), new Map([['default', profile]]));
  return getCredentials(context, prefers ? { prefers } : {});
}
const keyVariables = { KEYFRONT_API_KEY: pair.apiKey, KEYFRONT_SECRET_KEY: pair.secretKey };

describe('getCredentials', () => {
  it('reads the profile if the environment has no credentials', async () => {
    expect(await read({}, saved)).toEqual(saved);
  });

  it('prefers the environment', async () => {
    expect(await read({ KEYFRONT_URL: url }, saved)).toEqual({ url, ...otherPair });
    expect(await read(keyVariables, saved)).toEqual({ url: saved.url, ...pair });
    expect(await read({ KEYFRONT_URL: url, ...keyVariables }, saved)).toEqual({ url, ...pair });
    expect(await read({ KEYFRONT_URL: url, KEYFRONT_TOKEN: 'jwt' }, saved)).toEqual({ url, token: 'jwt' });
  });

  it('uses a profile that the command line names as it is', async () => {
    const { context } = createHarness({
      env: { KEYFRONT_URL: url, KEYFRONT_PROFILE: 'other', ...keyVariables },
    });
    await writeProfiles(profileFile(context), new Map([['shop', saved]]));
    expect(await getCredentials(context, { profile: 'shop' })).toEqual(saved);
    expect(await getCredentials(context, {})).toEqual({ url, ...pair });
    await expect(getCredentials(context, { profile: 'shap' })).rejects.toThrow(
      'Profile "shap" does not exist',
    );
  });

  it('needs no profile if the environment has everything', async () => {
    expect(await read({ KEYFRONT_URL: url, ...keyVariables })).toEqual({ url, ...pair });
  });

  it('derives the API key from the secret key', async () => {
    expect(await read({ KEYFRONT_URL: url, KEYFRONT_SECRET_KEY: pair.secretKey })).toEqual({ url, ...pair });
  });

  it('uses the preferred credential if the environment has both', async () => {
    const both = { KEYFRONT_URL: url, KEYFRONT_TOKEN: 'jwt', ...keyVariables };
    expect(await read(both)).toEqual({ url, ...pair });
    expect(await read(both, undefined, 'token')).toEqual({ url, token: 'jwt' });
  });

  it('replaces the credential of the profile as a whole', async () => {
    expect(await read({ KEYFRONT_TOKEN: 'jwt' }, saved)).toEqual({ url: saved.url, token: 'jwt' });
    const withToken: Profile = { url: saved.url, token: 'saved' };
    expect(await read(keyVariables, withToken)).toEqual({ url: saved.url, ...pair });
  });

  it.each([
    [{}, 'Not logged in. Run `keyfront login` first'],
    [keyVariables, 'No service URL. Set KEYFRONT_URL'],
    [
      { KEYFRONT_URL: url, KEYFRONT_API_KEY: pair.apiKey },
      'KEYFRONT_API_KEY is set but KEYFRONT_SECRET_KEY is not',
    ],
  ])('explains what is missing: %#', async (env, message) => {
    await expect(read(env)).rejects.toThrow(message);
  });

  it('lists the existing profiles if the selected one does not exist', async () => {
    const { context } = createHarness({ env: {} });
    await writeProfiles(
      profileFile(context),
      new Map([
        ['one', saved],
        ['two', saved],
      ]),
    );
    await expect(getCredentials(context, { profile: 'three' })).rejects.toThrow(
      'Profile "three" does not exist. Create it with `keyfront login --profile three`, or use one of: one, two',
    );
  });
});
