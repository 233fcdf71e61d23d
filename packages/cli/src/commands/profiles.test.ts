import { describe, expect, it } from 'vitest';
import { makePair, makeToken, openWorld } from '../../test/world.ts';
import { profileFile, writeProfiles } from '../settings/profiles.ts';

describe('keyfront profiles', () => {
  it('lists what there is, and no secret', async () => {
    const world = openWorld({ env: {} });
    const url = 'https://keyfront.example/api/v1';
    const pair = makePair();
    const token = makeToken({ role: 'administrator', exp: 1_800_000_000, sub: '0xabc' });
    await writeProfiles(
      profileFile(world.cli),
      new Map([
        ['default', { url, ...pair }],
        ['admin', { url, token }],
        ['odd', { url, token: 'no JWT' }],
      ]),
    );
    const { code, stdout, stderr } = await world.run('profiles');
    expect([code, stderr]).toEqual([0, '']);
    expect(stdout.split('\n')).toEqual([
      'PROFILE  ADDRESS                          CREDENTIAL',
      'default  https://keyfront.example/api/v1  API key',
      'admin    https://keyfront.example/api/v1  administrator 0xabc until 2027-01-15T08:00:00.000Z',
      'odd      https://keyfront.example/api/v1  token',
      '',
    ]);
  });

  it('lists nothing before the first login', async () => {
    const world = openWorld({ env: {} });
    expect((await world.run('profiles')).stdout).toBe('PROFILE  ADDRESS  CREDENTIAL\n');
  });
});
