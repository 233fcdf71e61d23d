import { describe, expect, it } from 'vitest';
import { baseUrl, createHarness, failure, success } from '../../test/cli-harness.ts';
import { profileFile, readProfiles, writeProfiles } from '../credentials/profiles.ts';

async function createHarnessWithProfiles(respond: () => Response = () => success({ endedCount: 1 })) {
  const harness = createHarness({ env: {}, respond });
  const file = profileFile(harness.context);
  const profile = { url: baseUrl, token: 'jwt' };
  await writeProfiles(
    file,
    new Map([
      ['default', profile],
      ['admin', profile],
    ]),
  );
  return { ...harness, listNames: async () => [...(await readProfiles(file)).keys()] };
}

describe('keyfront logout', () => {
  it('deletes one profile and keeps the others', async () => {
    const { run, listNames } = await createHarnessWithProfiles();
    expect(await run('logout')).toEqual({ code: 0, stdout: 'Deleted profile "default".\n', stderr: '' });
    expect(await listNames()).toEqual(['admin']);
    expect((await run('logout', '--profile', 'admin')).code).toBe(0);
    expect(await listNames()).toEqual([]);
  });

  it('deletes all profiles', async () => {
    const { run, listNames } = await createHarnessWithProfiles();
    expect(await run('logout', '--all')).toMatchObject({ code: 0, stdout: 'Deleted all profiles.\n' });
    expect(await listNames()).toEqual([]);
  });

  it('signs the token out first', async () => {
    const { run, requests } = await createHarnessWithProfiles();
    await run('logout');
    expect(requests.map(({ method, target }) => [method, target])).toEqual([['POST', '/auth/signOut']]);
    expect(requests[0]?.headers.get('authorization')).toBe('Bearer jwt');
  });

  it('deletes a profile whose token is no longer accepted, or whose service cannot be reached', async () => {
    const ended = await createHarnessWithProfiles(() => failure(401, 'Unauthorized'));
    expect(await ended.run('logout')).toMatchObject({ code: 0, stderr: '' });
    const down = await createHarnessWithProfiles(() => {
      throw new TypeError('fetch failed');
    });
    expect(await down.run('logout')).toEqual({
      code: 0,
      stdout: 'Deleted profile "default".\n',
      stderr: expect.stringContaining(
        'warning: The session of profile "default" was not ended, so its token stays valid: ',
      ),
    });
    expect([await ended.listNames(), await down.listNames()]).toEqual([['admin'], ['admin']]);
  });

  it('reports a profile that does not exist', async () => {
    const { run, listNames } = await createHarnessWithProfiles();
    expect(await run('logout', '--profile', 'x')).toEqual({
      code: 2,
      stdout: '',
      stderr: 'error: Profile "x" does not exist\n',
    });
    expect(await listNames()).toEqual(['default', 'admin']);
  });
});
