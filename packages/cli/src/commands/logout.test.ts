import { describe, expect, it } from 'vitest';
import { createHarness } from '../../test/cli-harness.ts';
import { profileFile, readProfiles, writeProfiles } from '../credentials/profiles.ts';

async function createHarnessWithProfiles() {
  const harness = createHarness({ env: {} });
  const file = profileFile(harness.context);
  const profile = { url: 'https://keyfront.example', token: 'jwt' };
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
