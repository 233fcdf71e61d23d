import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { createHarness, failure, type SentRequest, success } from '../../test/cli-harness.ts';
import { env, key } from '../../test/key-of-holder.ts';

describe('keyfront keys list', () => {
  const otherId = '019a8f3e-7c00-7000-8000-000000000002';
  const respond = ({ target }: SentRequest) => {
    const isFirst = !target.includes('page=2');
    const used = { lastUsedAt: '2026-11-15T10:00:00.000Z', revokedAt: null };
    const settings = {
      ...{ signatures: 'bound', scopes: ['orders:read', 'clients:read'], successorId: key.id },
      allowedNetworks: ['10.0.0.0/8', '::1/128'],
    };
    const revoked = { ...settings, id: otherId, lastUsedAt: null, revokedAt: '2026-11-15T11:00:00.000Z' };
    return success({
      keys: [{ ...key, ...(isFirst ? used : revoked) }],
      pageMetaDto: { pageCount: 2, hasNextPage: isFirst },
    });
  };

  const settingTitles = ['SIGNATURES', 'SCOPES', 'NETWORKS', 'SUCCESSOR'];

  it('lists the keys of all pages, complete if the output is not a terminal', async () => {
    const { code, stdout } = await createHarness({ env, respond }).run('keys', 'list');
    expect(code).toBe(0);
    expect(stdout.split('\n').map((line) => line.split(/ {2,}/))).toEqual([
      ['ID', 'NAME', 'TOKEN', 'CREATED', 'LAST USED', 'STATUS', ...settingTitles],
      [
        ...[key.id, 'A [31mname', '1001', key.createdAt, '2026-11-15T10:00:00.000Z', 'active'],
        ...['any', 'all', 'any', 'none'],
      ],
      [
        ...[otherId, 'A [31mname', '1001', key.createdAt, 'never', 'revoked 2026-11-15T11:00:00.000Z'],
        ...['bound', 'orders:read,clients:read', '10.0.0.0/8,::1/128', key.id],
      ],
      [''],
    ]);
  });

  it.each([
    [
      80,
      [
        'ID                                    NAME        TOKEN  LAST USED   STATUS',
        `${key.id}  A [31mname  1001   2026-11-15  active`,
        `${otherId}  A [31mname  1001   never       revoked`,
        '',
      ],
    ],
    [
      100,
      [
        'ID                                    NAME        TOKEN  CREATED     LAST USED   STATUS   SIGNATURES',
        `${key.id}  A [31mname  1001   2026-11-15  2026-11-15  active   any`,
        `${otherId}  A [31mname  1001   2026-11-15  never       revoked  bound`,
        '',
      ],
    ],
    [
      132,
      [
        'ID                                    NAME        TOKEN  CREATED     LAST USED   STATUS   SIGNATURES  SCOPES',
        `${key.id}  A [31mname  1001   2026-11-15  2026-11-15  active   any         all`,
        `${otherId}  A [31mname  1001   2026-11-15  never       revoked  bound       orders:read,clients:read`,
        '',
      ],
    ],
  ])('fits a terminal of %i columns', async (terminalWidth, lines) => {
    const { stdout } = await createHarness({ env, respond, terminalWidth }).run('keys', 'list');
    expect(stdout.split('\n')).toEqual(lines);
  });

  it('cuts long names on a terminal', async () => {
    const keyName = 'The storefront of the harbour';
    const harness = createHarness({
      env,
      terminalWidth: 80,
      respond: () =>
        success({
          keys: [{ ...key, keyName, tokenId: 9_007_199_254_740_991, lastUsedAt: null, revokedAt: null }],
          pageMetaDto: { pageCount: 1, hasNextPage: false },
        }),
    });
    const { stdout } = await harness.run('keys', 'list');
    expect(stdout.split('\n')[1]).toBe(`${key.id}  The storefront…   9007199254740991  active`);
  });

  it('says how to create the first key', async () => {
    const harness = createHarness({
      env,
      respond: () => success({ keys: [], pageMetaDto: { pageCount: 1, hasNextPage: false } }),
    });
    expect(await harness.run('keys', 'list')).toEqual({
      code: 0,
      stdout: '',
      stderr: 'No API keys. Create one with `keyfront keys create`.\n',
    });
  });

  it('prints JSON', async () => {
    const { stdout } = await createHarness({ env, respond }).run('keys', 'list', '--json');
    expect(JSON.parse(stdout)).toMatchObject([key, { id: otherId, successorId: key.id }]);
  });

  it('rejects an API key before it sends anything', async () => {
    const harness = createHarness();
    const { code, stderr } = await harness.run('keys', 'list');
    expect([code, harness.requests]).toEqual([3, []]);
    expect(stderr).toMatch(
      /^error: An API key cannot manage API keys\. .+ --wallet-key-file FILE --profile wallet/,
    );
  });
});

describe('the settings of a key', () => {
  const settings = [
    '--signatures',
    'bound',
    '--scopes',
    'orders:read, clients:read',
    '--networks',
    '10.0.0.0/8,::1',
  ];
  const sent = {
    signatures: 'bound',
    scopes: ['orders:read', 'clients:read'],
    allowedNetworks: ['10.0.0.0/8', '::1'],
  };

  it('are sent with a new key', async () => {
    const harness = createHarness({ env, respond: () => success({ ...key, secretKey: null }, 201) });
    const file = join(harness.folder, 'secret.pem');
    const args = ['--secret-key-file', file, ...settings, '--expires-at', '2999-01-01T00:00:00Z'];
    expect((await harness.run('keys', 'create', 'Mine', ...args)).code).toBe(0);
    expect(JSON.parse(harness.requests[0]?.body ?? '')).toMatchObject({
      keyName: 'Mine',
      ...sent,
      expiresAt: '2999-01-01T00:00:00Z',
    });
  });

  it('are changed and removed by keyfront keys update', async () => {
    const harness = createHarness({ env, respond: () => success(key) });
    expect(await harness.run('keys', 'update', key.id, '--name', 'Other', ...settings)).toEqual({
      code: 0,
      stdout: `Changed API key ${key.id}.\n`,
      stderr: '',
    });
    const none = ['--scopes', 'all', '--networks', 'any', '--expires-at', 'never', '--signatures', 'any'];
    await harness.run('keys', 'update', key.id, ...none);
    expect(harness.requests.map(({ method, target, body }) => [method, target, JSON.parse(body)])).toEqual([
      ['PATCH', `/keys/${key.id}`, { keyName: 'Other', ...sent }],
      [
        'PATCH',
        `/keys/${key.id}`,
        { signatures: 'any', scopes: null, expiresAt: null, allowedNetworks: null },
      ],
    ]);
  });

  it('are named by their options if the service refuses them', async () => {
    const data = ['scopes.0 must be a scope such as orders:read', 'expiresAt must be in the future'];
    const harness = createHarness({ env, respond: () => failure(400, 'Validation failed', { data }) });
    const { stderr } = await harness.run('keys', 'update', key.id, '--scopes', 'x');
    expect(stderr).toContain('--expires-at must be in the future');
  });

  it('need an option', async () => {
    const harness = createHarness({ env });
    const { code, stderr } = await harness.run('keys', 'update', key.id);
    expect([code, stderr, harness.requests]).toEqual([
      2,
      'error: Use at least one option that changes the key\n',
      [],
    ]);
  });

  it('show until when a key is accepted', async () => {
    const listed = { ...key, lastUsedAt: null, revokedAt: null, expiresAt: '2999-01-01T00:00:00.000Z' };
    const page = { keys: [listed], pageMetaDto: { pageCount: 1, hasNextPage: false } };
    const { stdout } = await createHarness({ env, respond: () => success(page) }).run('keys', 'list');
    expect(stdout).toContain('active until 2999-01-01T00:00:00.000Z');
    const expired = { ...page, keys: [{ ...listed, expiresAt: '2020-01-01T00:00:00.000Z' }] };
    const after = await createHarness({ env, respond: () => success(expired) }).run('keys', 'list');
    expect(after.stdout).toContain('expired 2020-01-01T00:00:00.000Z');
  });
});

describe('keyfront keys revoke', () => {
  it('revokes a key', async () => {
    const harness = createHarness({ env, respond: () => success(key) });
    expect(await harness.run('keys', 'revoke', key.id)).toEqual({
      code: 0,
      stdout: `Revoked API key ${key.id}.\n`,
      stderr: '',
    });
    expect(harness.requests.map(({ method, target }) => [method, target])).toEqual([
      ['DELETE', `/keys/${key.id}`],
    ]);
  });

  it.each([
    ['y\n', 0, 1],
    ['YES\n', 0, 1],
    ['n\n', 1, 0],
    ['\n', 1, 0],
  ])('asks for confirmation on a terminal: %j', async (stdin, code, requestCount) => {
    const harness = createHarness({ env, stdin, isInteractive: true, respond: () => success(key) });
    const result = await harness.run('keys', 'revoke', key.id);
    expect(result.stderr).toContain(`Revoke API key ${key.id}? This cannot be undone. [y/N] `);
    expect([result.code, harness.requests.length]).toEqual([code, requestCount]);
  });

  it('does not ask with --yes', async () => {
    const harness = createHarness({ env, isInteractive: true, respond: () => success(key) });
    expect(await harness.run('keys', 'revoke', key.id, '--yes')).toMatchObject({ code: 0, stderr: '' });
  });
});
