import { describe, expect, it } from 'vitest';
import { createHarness, failure, success } from '../../test/cli-harness.ts';

const id = '019a8f3e-7c00-7000-8000-000000000201';
const client = {
  id,
  firstName: 'Ada',
  lastName: 'Exa\u001b[31mmple',
  email: 'ada@example.org',
  adminApproval: 'VERIFIED',
  isActive: true,
};
const page = (clients: object[]) =>
  success({ clients, pageMetaDto: { page: 1, pageCount: 1, hasNextPage: false } });

describe('keyfront clients list', () => {
  it('prints a table', async () => {
    const respond = () => page([client, { ...client, isActive: false }]);
    const { code, stdout } = await createHarness({ respond }).run('clients', 'list');
    expect(code).toBe(0);
    expect(stdout.split('\n').map((line) => line.split(/ {2,}/))).toEqual([
      ['ID', 'NAME', 'EMAIL', 'APPROVAL', 'STATUS'],
      [id, 'Ada Exa [31mmple', 'ada@example.org', 'VERIFIED', 'ACTIVE'],
      [id, 'Ada Exa [31mmple', 'ada@example.org', 'VERIFIED', 'INACTIVE'],
      [''],
    ]);
  });

  it('prints JSON, and says when there is nobody', async () => {
    const json = await createHarness({ respond: () => page([client]) }).run('clients', 'list', '--json');
    expect(JSON.parse(json.stdout)).toEqual([client]);
    expect(await createHarness({ respond: () => page([]) }).run('clients', 'list')).toEqual({
      code: 0,
      stdout: '',
      stderr: 'No clients.\n',
    });
  });

  it('sends the filters that are given', async () => {
    const harness = createHarness({ respond: () => page([]) });
    await harness.run('clients', 'list');
    await harness.run(
      'clients',
      'list',
      '--search',
      'Ada',
      '--search-by',
      'clientName',
      '--status',
      'ACTIVE',
    );
    await harness.run('clients', 'list', '--approval', 'REJECTED');
    expect(harness.requests.map(({ target }) => target.replace(/(page|take)=\d+&?/g, ''))).toEqual([
      expect.stringMatching(/^\/dapp\/clients\??$/),
      expect.stringContaining('search=Ada&searchBy=clientName&status=ACTIVE'),
      expect.stringContaining('adminApproval=REJECTED'),
    ]);
  });

  it('knows the values of the API', async () => {
    const { code, stderr } = await createHarness().run('clients', 'list', '--search-by', 'shoeSize');
    expect([code, stderr]).toEqual([2, expect.stringContaining('clientName, email, contactNumber')]);
  });
});

describe('keyfront clients', () => {
  it.each([
    [['activate'], 'PATCH', `/dapp/clients/${id}/activate`, '', `Activated client ${id}.\n`],
    [['deactivate'], 'PATCH', `/dapp/clients/${id}/deactivate`, '', `Deactivated client ${id}.\n`],
    [
      ['consent', 'no'],
      'PATCH',
      `/dapp/clients/${id}/marketing-consent`,
      '{"marketingConsent":false}',
      `Recorded the answer of client ${id}.\n`,
    ],
  ])('%j changes a client', async ([command = '', ...rest], method, target, body, stdout) => {
    const harness = createHarness({ respond: () => success(client) });
    expect(await harness.run('clients', command, id, ...rest)).toEqual({ code: 0, stdout, stderr: '' });
    expect(harness.requests).toMatchObject([{ method, target, body }]);
    const json = await harness.run('clients', command, id, ...rest, '--json');
    expect(JSON.parse(json.stdout)).toEqual(client);
  });

  it('names the argument that the service rejects', async () => {
    const data = ['clientId must be a UUID'];
    const harness = createHarness({ respond: () => failure(400, 'Validation failed', { data }) });
    expect(await harness.run('clients', 'activate', '7')).toMatchObject({
      code: 4,
      stderr: 'error: <client-id> must be a UUID\n',
    });
  });

  it('accepts yes or no as an answer only', async () => {
    const harness = createHarness();
    expect((await harness.run('clients', 'consent', id, 'maybe')).code).toBe(2);
    expect(harness.requests).toEqual([]);
  });
});

describe('keyfront clients kyc-link', () => {
  const link = {
    clientId: id,
    kycLink: 'https://identity.example/start?reference=7',
    kycStatus: 'PENDING',
    kycVerifiedAt: null,
  };

  it('prints the new link', async () => {
    const harness = createHarness({ respond: () => success(link, 201) });
    expect(await harness.run('clients', 'kyc-link', id)).toMatchObject({
      code: 0,
      stdout: `${link.kycLink}\n`,
    });
    expect(harness.requests).toMatchObject([{ method: 'POST', target: `/dapp/clients/${id}/kyc-link` }]);
    const { stdout } = await harness.run('clients', 'kyc-link', id, '--json');
    expect(JSON.parse(stdout)).toEqual(link);
  });

  it('names its argument in an error', async () => {
    const data = ['clientId must be a UUID'];
    const harness = createHarness({ respond: () => failure(400, 'Validation failed', { data }) });
    const { code, stderr } = await harness.run('clients', 'kyc-link', '7');
    expect([code, stderr]).toEqual([4, 'error: <client-id> must be a UUID\n']);
  });
});

describe('keyfront clients archive', () => {
  const archivedAt = '2026-11-15T09:30:00.000Z';
  const respond = ({ target }: { target: string }) =>
    success({ id, archivedAt, erasedAt: target.endsWith('erase=true') ? archivedAt : null });

  it('archives, and erases only if told to', async () => {
    const harness = createHarness({ respond });
    expect(await harness.run('clients', 'archive', id)).toMatchObject({ stdout: `Archived client ${id}.\n` });
    expect(await harness.run('clients', 'archive', id, '--erase', '--yes')).toMatchObject({
      stdout: `Archived client ${id} and erased its personal data.\n`,
    });
    expect(JSON.parse((await harness.run('clients', 'archive', id, '--json')).stdout)).toEqual({
      ...{ id, archivedAt, erasedAt: null },
    });
    expect(harness.requests.slice(0, 2).map(({ method, target }) => [method, target])).toEqual([
      ['DELETE', `/dapp/clients/${id}`],
      ['DELETE', `/dapp/clients/${id}?erase=true`],
    ]);
  });

  it.each([
    ['y\n', 0, 1],
    ['n\n', 1, 0],
  ])('asks for confirmation on a terminal: %j', async (stdin, code, requestCount) => {
    const harness = createHarness({ respond, stdin, isInteractive: true });
    const result = await harness.run('clients', 'archive', id, '--erase');
    expect([result.code, harness.requests.length]).toEqual([code, requestCount]);
    expect(result.stderr).toContain(
      `Archive client and erase its personal data: ${id}? This cannot be undone. [y/N]`,
    );
  });

  it('erases nothing without --yes where nobody can be asked', async () => {
    for (const stdin of ['', 'y\n']) {
      const harness = createHarness({ respond, stdin });
      expect(await harness.run('clients', 'archive', id, '--erase')).toEqual({
        code: 2,
        stdout: '',
        stderr: 'error: --erase requires --yes without a terminal\n',
      });
      expect(harness.requests).toEqual([]);
    }
  });

  it('does not ask with --yes', async () => {
    const harness = createHarness({ respond, stdin: '', isInteractive: true });
    expect(await harness.run('clients', 'archive', id, '--yes')).toMatchObject({ code: 0, stderr: '' });
  });
});
