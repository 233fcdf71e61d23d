import { describe, expect, it } from 'vitest';
import { openWorld } from '../../test/world.ts';
import { profileFile, readProfiles, writeProfiles } from '../settings/profiles.ts';

async function openWithProfiles() {
  const world = openWorld({ env: {} });
  const file = profileFile(world.cli);
  const profile = { url: 'https://keyfront.example', token: 'jwt' };
  await writeProfiles(
    file,
    new Map([
      ['default', profile],
      ['admin', profile],
    ]),
  );
  return { ...world, names: async () => [...(await readProfiles(file)).keys()] };
}

describe('keyfront logout', () => {
  it('forgets one profile and leaves the others', async () => {
    const { run, names } = await openWithProfiles();
    expect(await run('logout')).toEqual({ code: 0, stdout: 'Profile "default" is forgotten\n', stderr: '' });
    expect(await names()).toEqual(['admin']);
    expect((await run('logout', '--profile', 'admin')).code).toBe(0);
    expect(await names()).toEqual([]);
  });

  it('forgets all', async () => {
    const { run, names } = await openWithProfiles();
    expect((await run('logout', '--all')).code).toBe(0);
    expect(await names()).toEqual([]);
  });

  it('says that there is no such profile', async () => {
    const { run, names } = await openWithProfiles();
    expect(await run('logout', '--profile', 'x')).toEqual({
      code: 2,
      stdout: '',
      stderr: 'error: There is no profile "x"\n',
    });
    expect(await names()).toEqual(['default', 'admin']);
  });
});
