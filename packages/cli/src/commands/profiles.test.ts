import { describe, expect, it } from 'vitest';
import { createHarness, type HarnessOptions, makeKeyPair, makeToken } from '../../test/cli-harness.ts';
import { profileFile, writeProfiles } from '../credentials/profiles.ts';

const url = 'https://keyfront.example/api/v1';
const pair = makeKeyPair();
const sub = '0x71c7656ec7ab88b098defb751b7401b5f6d8976f';
const token = makeToken({ role: 'administrator', exp: 1_800_000_000, sub });

async function createHarnessWithProfiles(options: HarnessOptions = {}) {
  const harness = createHarness({ env: {}, ...options });
  await writeProfiles(
    profileFile(harness.context),
    new Map([
      ['default', { url, ...pair }],
      ['admin', { url, token }],
      ['invalid', { url, token: 'not a JWT' }],
    ]),
  );
  return harness;
}

describe('keyfront profiles', () => {
  it('lists profiles without secrets', async () => {
    const { code, stdout, stderr } = await (await createHarnessWithProfiles()).run('profiles');
    expect([code, stderr]).toEqual([0, '']);
    expect(stdout.split('\n').map((line) => line.split(/ {2,}/))).toEqual([
      ['PROFILE', 'URL', 'CREDENTIAL', 'WALLET', 'EXPIRES'],
      ['default', url, 'api-key', '-', '-'],
      ['admin', url, 'administrator', sub, '2027-01-15T08:00:00.000Z'],
      ['invalid', url, 'token', '-', '-'],
      [''],
    ]);
  });

  it('fits a terminal', async () => {
    const { stdout } = await (await createHarnessWithProfiles({ terminalWidth: 80 })).run('profiles');
    for (const line of stdout.split('\n')) expect(line.length).toBeLessThanOrEqual(80);
    expect(stdout).toContain('administrator');
  });

  it('prints JSON', async () => {
    const { stdout } = await (await createHarnessWithProfiles()).run('profiles', '--json');
    expect(JSON.parse(stdout)[1]).toEqual({
      name: 'admin',
      url,
      credential: 'administrator',
      walletAddress: sub,
      expiresAt: '2027-01-15T08:00:00.000Z',
    });
    expect(stdout).not.toContain(pair.secretKey);
  });

  it('says how to create the first profile', async () => {
    expect(await createHarness({ env: {} }).run('profiles')).toEqual({
      code: 0,
      stdout: '',
      stderr: 'No profiles. Create one with `keyfront login`.\n',
    });
  });
});
