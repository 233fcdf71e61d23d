import { describe, expect, it } from 'vitest';
import {
  baseUrl,
  createHarness,
  failure,
  type HarnessOptions,
  type Respond,
  success,
} from '../../test/cli-harness.ts';

const session = {
  id: '019a8f3e-7c00-7000-8000-000000000151',
  role: 'holder',
  domain: 'shop.example',
  createdAt: '2026-11-15T09:30:00.000Z',
  expiresAt: '2026-11-16T09:30:00.000Z',
  isCurrent: true,
};
const other = { ...session, id: '019a8f3e-7c00-7000-8000-000000000152', isCurrent: false };
const respond: Respond = ({ method, target }) => {
  if (method === 'GET') return success({ sessions: [session, other] });
  return success(target.startsWith('/auth/sessions/') ? other : { endedCount: 1 });
};
const withToken = (options: HarnessOptions = {}) =>
  createHarness({ env: { KEYFRONT_URL: baseUrl, KEYFRONT_TOKEN: 'jwt' }, respond, ...options });

describe('keyfront sessions list', () => {
  it('prints a table that marks the session of the profile', async () => {
    const { code, stdout } = await withToken().run('sessions', 'list');
    expect(code).toBe(0);
    expect(stdout.split('\n').map((line) => line.split(/ {2,}/))).toEqual([
      ['ID', 'ROLE', 'DOMAIN', 'SIGNED IN', 'EXPIRES', 'CURRENT'],
      [session.id, 'holder', 'shop.example', session.createdAt, session.expiresAt, 'yes'],
      [other.id, 'holder', 'shop.example', other.createdAt, other.expiresAt],
      [''],
    ]);
  });

  it('prints JSON', async () => {
    const { stdout } = await withToken().run('sessions', 'list', '--json');
    expect(JSON.parse(stdout)).toEqual([session, other]);
  });

  it('needs a token', async () => {
    const harness = createHarness();
    expect(await harness.run('sessions', 'list')).toMatchObject({
      code: 3,
      stderr: expect.stringMatching(/^error: An API key has no sessions\. Sign in with the wallet/),
    });
    expect(harness.requests).toEqual([]);
  });
});

describe('keyfront sessions end', () => {
  it('ends one session', async () => {
    const { run, requests } = withToken();
    expect(await run('sessions', 'end', other.id)).toEqual({
      code: 0,
      stdout: `Ended session ${other.id}.\n`,
      stderr: '',
    });
    expect(requests.map(({ method, target }) => [method, target])).toEqual([
      ['GET', '/auth/sessions'],
      ['DELETE', `/auth/sessions/${other.id}`],
    ]);
  });

  it('says that a session has ended before', async () => {
    const expiresAt = '2026-11-15T10:00:00.000Z';
    const { run } = withToken({
      respond: ({ method }) => success(method === 'GET' ? { sessions: [session] } : { ...other, expiresAt }),
    });
    expect(await run('sessions', 'end', other.id)).toEqual({
      code: 0,
      stdout: `Session ${other.id} has ended before, at ${expiresAt}.\n`,
      stderr: '',
    });
  });

  it('ends all others', async () => {
    const { run, requests } = withToken();
    expect(await run('sessions', 'end', '--others')).toMatchObject({ code: 0, stdout: 'Ended 1 session.\n' });
    expect(JSON.parse((await run('sessions', 'end', '--others', '--json')).stdout)).toEqual({
      endedCount: 1,
    });
    expect(requests.map(({ method, target }) => [method, target])).toEqual([
      ['DELETE', '/auth/sessions?keepCurrent=true'],
      ['DELETE', '/auth/sessions?keepCurrent=true'],
    ]);
  });

  it('asks on a terminal, and ends nothing without a yes', async () => {
    const { run, requests } = withToken({ isInteractive: true, stdin: 'n\n' });
    expect((await run('sessions', 'end', other.id)).stderr).toContain(`End session ${other.id}?`);
    expect(requests).toEqual([]);
    expect((await withToken({ isInteractive: true }).run('sessions', 'end', other.id, '--yes')).code).toBe(0);
  });

  it.each([[[]], [[other.id, '--others']]])('refuses %j', async (words) => {
    const { run, requests } = withToken();
    expect(await run('sessions', 'end', ...words)).toMatchObject({
      code: 2,
      stderr: 'error: Name one session, or use --others to end all sessions but that of the profile\n',
    });
    expect(requests).toEqual([]);
  });

  it('names the argument that the service refuses', async () => {
    const { run } = withToken({
      respond: () => failure(400, 'Bad request', { data: ['sessionId must be a UUID'] }),
    });
    expect((await run('sessions', 'end', 'x')).stderr).toContain('<session-id> must be a UUID');
  });
});
